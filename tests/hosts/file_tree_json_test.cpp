#include <gtest/gtest.h>

#include <stdexcept>

#include "scheduler/hosts/file_tree.h"
#include "tree_lab.h"

namespace hpsearch::testing {
namespace {

Json file(const std::string& path, const Json& size = 0) {
  return {{"path", path}, {"size", size}, {"hash", hash_of("")}};
}
Json link(const std::string& path, const std::string& target) { return {{"path", path}, {"link", target}}; }
Json tree(const std::vector<Json>& files) { return {{"files", files}}; }

std::string fault(const Json& json) {
  try {
    parse_tree(json);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(FileTreeJson, GoesThereAndBack) {
  const FileTree tree{{{" blank", 1, false, hash_of("a"), ""},
                       {"-rf", 0, false, hash_of(""), ""},
                       {"a/\"q\" 'r'\nnew\tline\\", 2, true, hash_of("bb"), ""},
                       {"b/größe/日本", 1LL << 62, false, hash_of("c"), ""},
                       {"l", 0, false, "", "a/\n"}}};
  EXPECT_EQ(parse_tree(tree_json(tree)), tree);
  EXPECT_EQ(parse_tree(Json::parse(tree_json(tree).dump())), tree);
  EXPECT_EQ(parse_tree(Json::parse(tree_json({}).dump())), FileTree{});
  EXPECT_EQ(tree_json(tree)["files"][1].dump(), R"({"path":"-rf","size":0,"hash":")" + hash_of("") + "\"}");
}

TEST(FileTreeJson, TheOrderOnTheWayIsOfNoMatter) {
  const FileTree sorted = parse_tree(tree({file("a-"), file("a/c"), file("b")}));
  EXPECT_EQ(parse_tree(tree({file("b"), file("a/c"), file("a-")})), sorted);
  EXPECT_EQ(paths(sorted), (std::vector<std::string>{"a-", "a/c", "b"}));
}

TEST(FileTreeJson, RefusesPathsThatLeaveTheFolderOrAreWrittenOddly) {
  for (const char* path :
       {"/etc/passwd", "//a", "..", "../a", "a/../b", "a/..", ".", "./a", "a/./b", "a//b", "a/", "/"})
    EXPECT_NE(fault(tree({file(path)})).find("not a path below the folder"), std::string::npos) << path;
  for (const std::string& path : {std::string(), std::string("a\0b", 3), std::string("a\xff")})
    EXPECT_NE(fault(tree({file(path)})), "") << path;
  for (const char* path : {"...", "..a", "a..", ".a", "a\\b", "-", " "})
    EXPECT_EQ(fault(tree({file(path)})), "") << path;
}

TEST(FileTreeJson, RefusesDoubledPathsAndFilesBelowFiles) {
  EXPECT_EQ(fault(tree({file("a"), file("b"), file("a")})), "tree: \"a\": is there twice");
  EXPECT_EQ(fault(tree({file("a"), link("a", "b")})), "tree: \"a\": is there twice");
  EXPECT_EQ(fault(tree({file("a/b/c"), file("a-"), file("a")})), "tree: \"a/b/c\": lies below a file or link");
  EXPECT_EQ(fault(tree({link("a/b", "x"), file("a/b/c/d")})), "tree: \"a/b/c/d\": lies below a file or link");
}

TEST(FileTreeJson, RefusesLinksThatLeadOut) {
  EXPECT_EQ(fault(tree({link("a", "/etc")})), "tree: \"a\": its link leads out");
  EXPECT_EQ(fault(tree({link("a", "../x")})), "tree: \"a\": its link leads out");
  EXPECT_EQ(fault(tree({link("a", "")})), "tree: \"a\": its link leads out");
  EXPECT_EQ(fault(tree({link("d/up", ".."), link("a", "d/up/../..")})), "tree: \"a\": its link leads out");
  EXPECT_EQ(fault(tree({link("d/up", "..")})), "");
}

TEST(FileTreeJson, RefusesWhatIsNoHashOrSize) {
  Json json = tree({file("a")});
  for (const char* hash : {"", "../../../etc/passwd", "abc"}) {
    json["files"][0]["hash"] = hash;
    EXPECT_EQ(fault(json), "tree: \"a\": its hash is none");
  }
  for (const Json& size : {Json(-1), Json(0.5), Json(1e30), Json("1"), Json(nullptr), Json(1ULL << 63)})
    EXPECT_EQ(fault(tree({file("a", size)})), "tree: \"a\": its size is none") << size;
  EXPECT_EQ(fault(tree({file("a", 1LL << 62), file("b", 1LL << 62)})), "tree: \"b\": too many bytes");
}

TEST(FileTreeJson, RefusesWhatIsNoTree) {
  for (const char* text : {"null", "[]", "{}", R"({"files": {"a": 1}})", R"({"files": "a"})", R"({"files": [1]})",
                           R"({"files": [{}]})", R"({"files": [{"path": 1}]})", R"({"files": [{"path": "a"}]})",
                           R"({"files": [{"path": "a", "link": 3}]})"})
    EXPECT_NE(fault(Json::parse(text)), "") << text;
  Json json = tree({file("a")});
  json["files"][0]["executable"] = "yes";
  EXPECT_NE(fault(json), "");
}

}  // namespace
}  // namespace hpsearch::testing
