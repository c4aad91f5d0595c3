#include "scheduler/hosts/file_tree.h"

#include <gtest/gtest.h>

#include "tree_lab.h"

namespace hpsearch::testing {
namespace {

// Every change of one of these makes another tree.
FileTree small_tree() {
  return {{{"a.py", 3, false, hash_of("abc"), ""}, {"b", 0, true, hash_of(""), ""}, {"c", 0, false, "", "a.py"}}};
}

TEST(FileTree, TheIdIsThatOfThePathsContentsAndKinds) {
  const std::string id = small_tree().id();
  EXPECT_EQ(id, small_tree().id());
  EXPECT_EQ(id, "3897fd5a61ec09e8efa870d9e961a555c40490efc6ccaf8aff1d3afdf6269656") << "other hosts know trees by it";
  FileTree tree = small_tree();
  tree.files[0].path = "a.pz";
  EXPECT_NE(tree.id(), id);
  tree = small_tree();
  tree.files[0].hash = hash_of("abd");
  EXPECT_NE(tree.id(), id);
  tree = small_tree();
  tree.files[0].executable = true;
  EXPECT_NE(tree.id(), id);
  tree = small_tree();
  tree.files[2].link = "b";
  EXPECT_NE(tree.id(), id);
  tree.files.pop_back();
  EXPECT_NE(tree.id(), id);
}

TEST(FileTree, NamesCanNotPassForOtherFiles) {
  const std::string hash = hash_of("");
  const FileTree two{{{"a", 0, false, hash, ""}, {"b", 0, false, hash, ""}}};
  const FileTree one{{{"a\n" + hash + "\nfile\nb", 0, false, hash, ""}}};
  EXPECT_NE(two.id(), one.id());
}

TEST(FileTree, BytesAreThoseOfTheFiles) {
  EXPECT_EQ(small_tree().bytes(), 3);
  EXPECT_EQ(FileTree{}.bytes(), 0);
  EXPECT_EQ(FileTree{}.id(), hash_of(""));
}

TEST(FileTree, LinksThatStayInside) {
  for (auto [path, target] : {std::pair{"a", "b"}, {"a", "./b/c/"}, {"a", "."}, {"x/a", "../b"}, {"x/y/a", "../../b"},
                              {"x/y/a", ".././../b"}, {"x/a", ".."}, {"a", "..b/...c"}})
    EXPECT_TRUE(link_stays_inside(path, target)) << path << " " << target;
}

TEST(FileTree, LinksThatMayLeadOut) {
  for (auto [path, target] : {std::pair{"a", ""}, {"a", "/etc/passwd"}, {"a", ".."}, {"a", "../b"}, {"x/a", "../../b"},
                              {"a", "./../b"}, {"x/a", "y/../../.."}, {"x/a", "..//../b"}, {"a", "b/../c"}})
    EXPECT_FALSE(link_stays_inside(path, target)) << path << " " << target;
}

}  // namespace
}  // namespace hpsearch::testing
