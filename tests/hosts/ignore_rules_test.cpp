#include "scheduler/hosts/ignore_rules.h"

#include <gtest/gtest.h>

#include "tree_lab.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

bool ignores_file(const char* rules, const std::string& path) { return IgnoreRules(rules).ignores(path, false); }
bool ignores_folder(const char* rules, const std::string& path) { return IgnoreRules(rules).ignores(path, true); }

TEST(IgnoreRules, SomeNamesAreNeverTaken) {
  for (const char* name : {".git", "hpsearch-studies", "__pycache__"}) {
    EXPECT_TRUE(ignores_folder("", name));
    EXPECT_TRUE(ignores_folder("!*\n", std::string("a/b/") + name));
    EXPECT_TRUE(ignores_file("", name)) << "a link to studies elsewhere, the .git of a worktree";
  }
  EXPECT_FALSE(ignores_file("", ".gitignore"));
  EXPECT_FALSE(ignores_folder("", "my__pycache__"));
}

TEST(IgnoreRules, APatternWithoutSlashMatchesAtAnyDepth) {
  EXPECT_TRUE(ignores_file("*.pt", "a.pt"));
  EXPECT_TRUE(ignores_file("*.pt", "a/b/c.pt"));
  EXPECT_TRUE(ignores_folder("*.pt", "a/b.pt"));
  EXPECT_FALSE(ignores_file("*.pt", "a.pth"));
}

TEST(IgnoreRules, ASlashAtTheEndMeansFolders) {
  EXPECT_TRUE(ignores_folder("data/", "data"));
  EXPECT_TRUE(ignores_folder("data/", "a/data"));
  EXPECT_FALSE(ignores_file("data/", "data"));
}

TEST(IgnoreRules, ASlashElsewhereStartsAtTheFolder) {
  EXPECT_TRUE(ignores_file("/a.txt", "a.txt"));
  EXPECT_FALSE(ignores_file("/a.txt", "b/a.txt"));
  EXPECT_TRUE(ignores_file("b/a.txt", "b/a.txt"));
  EXPECT_FALSE(ignores_file("b/a.txt", "c/b/a.txt"));
  EXPECT_TRUE(ignores_folder("/data/", "data"));
  EXPECT_FALSE(ignores_folder("/data/", "a/data"));
}

TEST(IgnoreRules, TwoStars) {
  EXPECT_TRUE(ignores_file("**/logs/*.txt", "a/logs/b.txt"));
  EXPECT_TRUE(ignores_file("**/logs/*.txt", "logs/b.txt"));
  EXPECT_TRUE(ignores_file("runs/**", "runs/a/b"));
  EXPECT_FALSE(ignores_folder("runs/**", "runs"));
  EXPECT_TRUE(ignores_file("a/**/b", "a/x/y/b"));
}

TEST(IgnoreRules, TheLastLineThatMatchesCounts) {
  EXPECT_FALSE(ignores_file("*.txt\n!keep.txt\n", "keep.txt"));
  EXPECT_FALSE(ignores_file("*.txt\n!keep.txt\n", "a/keep.txt"));
  EXPECT_TRUE(ignores_file("*.txt\n!keep.txt\n", "other.txt"));
  EXPECT_TRUE(ignores_file("!keep.txt\n*.txt\n", "keep.txt"));
  EXPECT_FALSE(ignores_folder("data/*\n!data/small\n", "data/small"));
}

TEST(IgnoreRules, CommentsBlanksAndSignsToBeTakenAsTheyAre) {
  EXPECT_FALSE(ignores_file("# a\n\n   \n!\n/\n", "# a"));
  EXPECT_TRUE(ignores_file("\\#a", "#a"));
  EXPECT_TRUE(ignores_file("\\!a", "!a"));
  EXPECT_TRUE(ignores_file("a b.txt  ", "a b.txt"));
  EXPECT_TRUE(ignores_file("end\\ ", "end "));
  EXPECT_FALSE(ignores_file("end\\ ", "end"));
  EXPECT_TRUE(ignores_file("a\r\nb\r\n", "a"));
  EXPECT_TRUE(ignores_file("\xef\xbb\xbf" "a\n", "a"));
  EXPECT_TRUE(ignores_file("last line without an end", "last line without an end"));
}

TEST(IgnoreRules, AreReadFromTheFolder) {
  TemporaryFolder home;
  EXPECT_FALSE(ignore_rules_of(home.path()).ignores("a.pt", false));
  put(home.path() / ".hpsearchignore", "*.pt\n");
  EXPECT_TRUE(ignore_rules_of(home.path()).ignores("a.pt", false));
}

}  // namespace
}  // namespace hpsearch::testing
