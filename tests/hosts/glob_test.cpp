#include "scheduler/hosts/glob.h"

#include "tree_lab.h"

namespace hpsearch::testing {
namespace {

void expect_glob(const char* pattern, const Paths& matching, const Paths& others) {
  const Glob glob(pattern);
  expect_chosen(pattern, [&](std::string_view path) { return glob.matches(path); }, matching, others);
}

void expect_walk(const char* pattern, const Paths& needed, const Paths& others) {
  const Glob glob(pattern);
  expect_chosen(pattern, [&](std::string_view folder) { return glob.reaches_below(folder); }, needed, others);
}

TEST(Glob, AStarStaysWithinItsPart) {
  expect_glob("*.py", {"train.py", ".hidden.py"}, {"src/train.py"});
  expect_glob("src/*/x", {"src/a/x"}, {"src/a/b/x"});
  expect_glob("src/*", {}, {"src"});
  expect_glob("a*b", {}, {"a/b"});
  expect_glob("a**b", {"axyb"}, {"ax/yb"});
}

TEST(Glob, OtherSignsAreTheShells) {
  expect_glob("?.[ch]", {"a.c"}, {});
  expect_glob("?.[!ch]", {}, {"a.c"});
  expect_glob("a[/]b", {}, {"a/b"});
  expect_glob("\\*", {"*"}, {"a"});
  expect_glob("-n a\"b'\nc", {"-n a\"b'\nc"}, {});
  expect_glob("gr*ße", {"größe"}, {});
}

TEST(Glob, TwoStarsAreAnyNumberOfFolders) {
  expect_glob("**/x", {"x", "a/b/x"}, {"a/x/b"});
  expect_glob("a/**/x", {"a/x", "a/b/c/x"}, {"b/x"});
  expect_glob("**/a/**/b", {"a/c/a/b/b"}, {"b/a"});
}

TEST(Glob, TwoStarsAtTheEndAreWhatLiesBelow) {
  expect_glob("src/**", {"src/a", "src/a/b"}, {"src"});
  expect_glob("**", {"a", "a/b"}, {""});
}

TEST(Glob, ManyStarsTakeNoTime) {
  std::string pattern, path;
  for (int i = 0; i < 40; ++i) pattern += "**/a/", path += "a/a/";
  EXPECT_FALSE(Glob(pattern + "b").matches(path + "c"));
}

TEST(Glob, PartsThatSayNothingDoNotCount) {
  expect_glob("./a//b/", {"a/b"}, {});
  expect_glob(".", {""}, {"a"});
  expect_glob("", {""}, {});
}

TEST(Glob, AWalkNeedsOnlyFoldersThatMayHoldAMatch) {
  expect_walk("*.py", {""}, {"data"});
  expect_walk("a/b/*.py", {"a", "a/b"}, {"a/c", "a/b/c"});
  expect_walk("a/**/x", {"a/b/c"}, {"b"});
  expect_walk("**/x", {"a"}, {});
  expect_walk(".", {}, {"a"});
}

}  // namespace
}  // namespace hpsearch::testing
