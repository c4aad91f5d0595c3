#include "scheduler/hosts/tree_copy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scheduler/hosts/local_desk.h"
#include "tests/hosts/trial_lab.h"

namespace hpsearch::testing {
namespace {

namespace fs = std::filesystem;

// Two machines in two folders.
class TreeCopyTest : public ::testing::Test {
 protected:
  TreeCopyTest() {
    fs::create_directories(home_.path() / "a/from/deep");
    fs::create_directories(home_.path() / "b");
  }

  void write(const std::string& file, const std::string& text) { std::ofstream(home_.path() / file) << text; }
  std::string read(const std::string& file) const {
    std::ifstream in(home_.path() / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // The fault; empty when all went well.
  std::string copy(Json what, Json place) {
    std::optional<std::string> fault;
    TreeCopy copy(from_, to_, {std::move(what), "store", std::move(place), false},
                  [&](const std::string& text, const FileTree&) { fault = text; });
    while (!fault && io_.run_one_for(std::chrono::seconds(10)) > 0) {
    }
    io_.restart();
    return fault.value_or("no end");
  }

  TemporaryFolder home_;
  boost::asio::io_context io_;
  LocalDesk from_{io_, home_.path() / "a"}, to_{io_, home_.path() / "b"};
};

TEST_F(TreeCopyTest, BringsAFolderWhole) {
  write("a/from/x", "one");
  write("a/from/deep/empty", "");
  write("a/from/big", std::string(3'000'000, 'b'));
  EXPECT_EQ(copy({{"do", "tree"}, {"path", "from"}}, {{"do", "replace"}, {"path", "to"}}), "");
  EXPECT_EQ(read("b/to/x"), "one");
  EXPECT_EQ(read("b/to/big").size(), 3'000'000u);
  EXPECT_TRUE(fs::exists(home_.path() / "b/to/deep/empty"));
  EXPECT_FALSE(fs::exists(home_.path() / "b/store"));
}

TEST_F(TreeCopyTest, OnlyWhatIsNamedTakesThePlaceOfWhatWasThere) {
  write("a/from/e[1]", "new");
  write("a/from/e1", "other");
  fs::create_directories(home_.path() / "b/to");
  write("b/to/e0", "old");
  EXPECT_EQ(copy({{"do", "tree"}, {"path", "from"}, {"only", {"e[1]"}}}, {{"do", "replace"}, {"path", "to"}}), "");
  EXPECT_EQ(read("b/to/e[1]"), "new");
  EXPECT_FALSE(fs::exists(home_.path() / "b/to/e0"));
  EXPECT_FALSE(fs::exists(home_.path() / "b/to/e1"));
}

TEST_F(TreeCopyTest, MergedEntriesLeaveTheOthers) {
  write("a/from/x", "new");
  fs::create_directories(home_.path() / "b/to");
  write("b/to/x", "old");
  write("b/to/y", "mine");
  EXPECT_EQ(copy({{"do", "tree"}, {"path", "from"}}, {{"do", "merge"}, {"path", "to"}}), "");
  EXPECT_EQ(read("b/to/x"), "new");
  EXPECT_EQ(read("b/to/y"), "mine");
}

TEST_F(TreeCopyTest, FaultsAreToldAndLeaveTheTargetAsItWas) {
  fs::create_directories(home_.path() / "b/to");
  write("b/to/y", "mine");
  EXPECT_NE(copy({{"do", "tree"}, {"path", "nowhere"}}, {{"do", "replace"}, {"path", "to"}}), "");
  EXPECT_NE(copy({{"do", "tree"}, {"path", "../b"}}, {{"do", "replace"}, {"path", "to"}}), "");
  EXPECT_NE(copy({{"do", "tree"}, {"path", "from"}}, {{"do", "replace"}, {"path", "/tmp/elsewhere"}}), "");
  EXPECT_EQ(read("b/to/y"), "mine");
}

}  // namespace
}  // namespace hpsearch::testing
