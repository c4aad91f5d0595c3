#include "scheduler/hosts/glob.h"

#include <gtest/gtest.h>

namespace hpsearch::testing {
namespace {

bool matches(const char* pattern, std::string_view path) { return Glob(pattern).matches(path); }
bool reaches(const char* pattern, std::string_view folder) { return Glob(pattern).reaches_below(folder); }

TEST(Glob, AStarStaysWithinItsPart) {
  EXPECT_TRUE(matches("*.py", "train.py"));
  EXPECT_TRUE(matches("*.py", ".hidden.py"));
  EXPECT_FALSE(matches("*.py", "src/train.py"));
  EXPECT_TRUE(matches("src/*/x", "src/a/x"));
  EXPECT_FALSE(matches("src/*/x", "src/a/b/x"));
  EXPECT_FALSE(matches("src/*", "src"));
  EXPECT_FALSE(matches("a*b", "a/b"));
  EXPECT_TRUE(matches("a**b", "axyb"));
  EXPECT_FALSE(matches("a**b", "ax/yb"));
}

TEST(Glob, OtherSignsAreTheShells) {
  EXPECT_TRUE(matches("?.[ch]", "a.c"));
  EXPECT_FALSE(matches("?.[!ch]", "a.c"));
  EXPECT_FALSE(matches("a[/]b", "a/b"));
  EXPECT_TRUE(matches("\\*", "*"));
  EXPECT_FALSE(matches("\\*", "a"));
  EXPECT_TRUE(matches("-n a\"b'\nc", "-n a\"b'\nc"));
  EXPECT_TRUE(matches("gr*ße", "größe"));
}

TEST(Glob, TwoStarsAreAnyNumberOfFolders) {
  EXPECT_TRUE(matches("**/x", "x"));
  EXPECT_TRUE(matches("**/x", "a/b/x"));
  EXPECT_FALSE(matches("**/x", "a/x/b"));
  EXPECT_TRUE(matches("a/**/x", "a/x"));
  EXPECT_TRUE(matches("a/**/x", "a/b/c/x"));
  EXPECT_FALSE(matches("a/**/x", "b/x"));
  EXPECT_TRUE(matches("**/a/**/b", "a/c/a/b/b"));
  EXPECT_FALSE(matches("**/a/**/b", "b/a"));
}

TEST(Glob, TwoStarsAtTheEndAreWhatLiesBelow) {
  EXPECT_TRUE(matches("src/**", "src/a"));
  EXPECT_TRUE(matches("src/**", "src/a/b"));
  EXPECT_FALSE(matches("src/**", "src"));
  EXPECT_TRUE(matches("**", "a"));
  EXPECT_TRUE(matches("**", "a/b"));
  EXPECT_FALSE(matches("**", ""));
}

TEST(Glob, ManyStarsTakeNoTime) {
  std::string pattern, path;
  for (int i = 0; i < 40; ++i) pattern += "**/a/", path += "a/a/";
  EXPECT_FALSE(matches((pattern + "b").c_str(), path + "c"));
}

TEST(Glob, PartsThatSayNothingDoNotCount) {
  EXPECT_TRUE(matches("./a//b/", "a/b"));
  EXPECT_TRUE(matches(".", ""));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches(".", "a"));
}

TEST(Glob, AWalkNeedsOnlyFoldersThatMayHoldAMatch) {
  EXPECT_FALSE(reaches("*.py", "data"));
  EXPECT_TRUE(reaches("*.py", ""));
  EXPECT_TRUE(reaches("a/b/*.py", "a"));
  EXPECT_TRUE(reaches("a/b/*.py", "a/b"));
  EXPECT_FALSE(reaches("a/b/*.py", "a/c"));
  EXPECT_FALSE(reaches("a/b/*.py", "a/b/c"));
  EXPECT_TRUE(reaches("a/**/x", "a/b/c"));
  EXPECT_FALSE(reaches("a/**/x", "b"));
  EXPECT_TRUE(reaches("**/x", "a"));
  EXPECT_FALSE(reaches(".", "a"));
}

}  // namespace
}  // namespace hpsearch::testing
