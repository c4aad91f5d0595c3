#include "scheduler/hosts/ignore_rules.h"

#include "tree_lab.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

void expect_files(const char* text, const Paths& ignored, const Paths& taken) {
  const IgnoreRules rules(text);
  expect_chosen(text, [&](std::string_view path) { return rules.ignores(std::string(path), false); }, ignored, taken);
}

void expect_folders(const char* text, const Paths& ignored, const Paths& taken) {
  const IgnoreRules rules(text);
  expect_chosen(text, [&](std::string_view path) { return rules.ignores(std::string(path), true); }, ignored, taken);
}

TEST(IgnoreRules, SomeNamesAreNeverTaken) {
  expect_folders("", {".git", "hpsearch-studies", "__pycache__"}, {"my__pycache__"});
  expect_folders("!*\n", {"a/b/.git", "a/b/hpsearch-studies", "a/b/__pycache__"}, {});
  // A link to studies elsewhere, the .git of a worktree.
  expect_files("", {".git", "hpsearch-studies", "__pycache__"}, {".gitignore"});
}

TEST(IgnoreRules, APatternWithoutSlashMatchesAtAnyDepth) {
  expect_files("*.pt", {"a.pt", "a/b/c.pt"}, {"a.pth"});
  expect_folders("*.pt", {"a/b.pt"}, {});
}

TEST(IgnoreRules, ASlashAtTheEndMeansFolders) {
  expect_folders("data/", {"data", "a/data"}, {});
  expect_files("data/", {}, {"data"});
}

TEST(IgnoreRules, ASlashElsewhereStartsAtTheFolder) {
  expect_files("/a.txt", {"a.txt"}, {"b/a.txt"});
  expect_files("b/a.txt", {"b/a.txt"}, {"c/b/a.txt"});
  expect_folders("/data/", {"data"}, {"a/data"});
}

TEST(IgnoreRules, TwoStars) {
  expect_files("**/logs/*.txt", {"a/logs/b.txt", "logs/b.txt"}, {});
  expect_files("runs/**", {"runs/a/b"}, {});
  expect_folders("runs/**", {}, {"runs"});
  expect_files("a/**/b", {"a/x/y/b"}, {});
}

TEST(IgnoreRules, TheLastLineThatMatchesCounts) {
  expect_files("*.txt\n!keep.txt\n", {"other.txt"}, {"keep.txt", "a/keep.txt"});
  expect_files("!keep.txt\n*.txt\n", {"keep.txt"}, {});
  expect_folders("data/*\n!data/small\n", {}, {"data/small"});
}

TEST(IgnoreRules, CommentsBlanksAndSignsToBeTakenAsTheyAre) {
  expect_files("# a\n\n   \n!\n/\n", {}, {"# a"});
  expect_files("\\#a", {"#a"}, {});
  expect_files("\\!a", {"!a"}, {});
  expect_files("a b.txt  ", {"a b.txt"}, {});
  expect_files("end\\ ", {"end "}, {"end"});
  expect_files("a\r\nb\r\n", {"a"}, {});
  expect_files("\xef\xbb\xbf" "a\n", {"a"}, {});
  expect_files("last line without an end", {"last line without an end"}, {});
}

TEST(IgnoreRules, AreReadFromTheFolder) {
  TemporaryFolder home;
  EXPECT_FALSE(ignore_rules_of(home.path()).ignores("a.pt", false));
  put(home.path() / ".hpsearchignore", "*.pt\n");
  EXPECT_TRUE(ignore_rules_of(home.path()).ignores("a.pt", false));
}

}  // namespace
}  // namespace hpsearch::testing
