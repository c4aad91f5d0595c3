#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <system_error>

#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/file_tree.h"
#include "tree_lab.h"
#include "trial_lab.h"
#include "trials/user_error.h"

namespace hpsearch::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class FileTreeWalk : public ::testing::Test {
 protected:
  FileTree snapshot(const Names& patterns, const char* ignored = "", std::int64_t limit = 1 << 20) const {
    return tree_of(folder(), patterns, IgnoreRules(ignored), limit);
  }
  Names taken(const Names& patterns, const char* ignored = "") const { return paths(snapshot(patterns, ignored)); }
  std::string fault(const Names& patterns, const char* ignored = "", std::int64_t limit = 1 << 20) const {
    try {
      snapshot(patterns, ignored, limit);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  void make(const Names& files) const {
    for (const std::string& file : files) put(folder() / file);
  }
  fs::path folder() const { return home_.path() / "code"; }

  TemporaryFolder home_;
};

TEST_F(FileTreeWalk, KnowsPathSizeContentsAndMode) {
  put(folder() / "b/empty", "");
  put(folder() / "a.txt", "abc");
  put(folder() / "b/run.sh", "exit");
  fs::permissions(folder() / "b/run.sh", fs::perms::owner_exec, fs::perm_options::add);
  const FileTree expected{{{"a.txt", 3, false, hash_of("abc"), ""},
                           {"b/empty", 0, false, hash_of(""), ""},
                           {"b/run.sh", 4, true, hash_of("exit"), ""}}};
  EXPECT_EQ(tree_of(folder()), expected);
  EXPECT_EQ(snapshot({"."}), expected);
}

TEST_F(FileTreeWalk, IsSortedByteByByteAndKeepsOddNames) {
  const Names names = {" a", "\"q\"", "'", "-n", "B", "a b/c", "a-", "a/b", "a\nb", "größe", "日本/x"};
  make(names);
  Names sorted = names;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(paths(tree_of(folder())), sorted);
  EXPECT_EQ(taken({"."}), sorted);
}

TEST_F(FileTreeWalk, TakesEverythingForACheckpoint) {
  make({".git/config", "__pycache__/a.pyc", "hpsearch-studies/s", ".hpsearchignore"});
  EXPECT_EQ(tree_of(folder()).files.size(), 4u);
}

TEST_F(FileTreeWalk, EmptyFoldersAreNotKept) {
  fs::create_directories(folder() / "empty/deeper");
  EXPECT_EQ(tree_of(folder()), FileTree{});
  EXPECT_EQ(snapshot({}), FileTree{});
}

TEST_F(FileTreeWalk, AMissingFolderIsAnError) {
  EXPECT_THROW(tree_of(folder()), std::system_error);
  EXPECT_THROW(snapshot({"."}), std::system_error);
}

TEST_F(FileTreeWalk, PatternsStartAtTheFolder) {
  make({"a.py", ".b.py", "c.txt", "src/d.py", "src/e/f.py", "data/g.bin"});
  EXPECT_EQ(taken({"*.py"}), (Names{".b.py", "a.py"}));
  EXPECT_EQ(taken({"src/**"}), (Names{"src/d.py", "src/e/f.py"}));
  EXPECT_EQ(taken({"**/*.py"}), (Names{".b.py", "a.py", "src/d.py", "src/e/f.py"}));
  EXPECT_EQ(taken({"./a.py", "data/"}), (Names{"a.py", "data/g.bin"}));
}

TEST_F(FileTreeWalk, AFolderIsAllThatLiesBelowIt) {
  make({"a.py", "src/b.py", "src/c/d", "srx/e"});
  const Names src = {"src/b.py", "src/c/d"};
  EXPECT_EQ(taken({"src"}), src);
  EXPECT_EQ(taken({"src/"}), src);
  EXPECT_EQ(taken({"src/c"}), (Names{"src/c/d"}));
  EXPECT_EQ(taken({"sr*"}), (Names{"src/b.py", "src/c/d", "srx/e"}));
  EXPECT_EQ(taken({"."}), (Names{"a.py", "src/b.py", "src/c/d", "srx/e"}));
  EXPECT_EQ(taken({".", "src", "src/b.py"}).size(), 4u) << "each file once";
  EXPECT_NE(fault({"a.py/"}), "") << "a file is no folder";
}

TEST_F(FileTreeWalk, WhatIsIgnoredStaysOut) {
  make({"a.py", "model.pt", "data/b", "data/keep.txt", "sub/data/c", "sub/keep.txt", ".git/d", "sub/__pycache__/e",
        "hpsearch-studies/f", "sub/note.txt"});
  EXPECT_EQ(taken({"."}, "*.pt\n/data/\n*.txt\n!keep.txt\n"), (Names{"a.py", "sub/data/c", "sub/keep.txt"}));
  EXPECT_EQ(taken({"data", "a.py"}, "data/*\n!keep.txt"), (Names{"a.py", "data/keep.txt"}));
}

TEST_F(FileTreeWalk, APatternThatTakesNothingIsNamed) {
  make({"a.py", "data/b", ".git/c"});
  fs::create_directories(folder() / "empty");
  EXPECT_EQ(fault({"*.py", "*.pyx"}).find("\"*.pyx\" matches no file in " + folder().string()), 0u);
  EXPECT_NE(fault({"empty"}), "");
  EXPECT_NE(fault({"data/b"}, "data/"), "");
  EXPECT_NE(fault({".git"}), "");
  EXPECT_EQ(fault({"a.py", "*.py", "."}), "");
}

TEST_F(FileTreeWalk, PatternsThatLeaveTheFolderAreRefused) {
  make({"a.py"});
  for (const char* pattern : {"", "/etc/*", "../*", "a/../b", "/"})
    EXPECT_NE(fault({pattern}).find("must name files below the folder"), std::string::npos) << pattern;
}

TEST_F(FileTreeWalk, TooMuchNamesTheBiggest) {
  for (int size : {1, 10, 40, 20, 30}) put(folder() / ("f" + std::to_string(size)), std::string(size, 'x'));
  EXPECT_EQ(fault({"."}, "", 101), "");
  EXPECT_EQ(fault({"."}, "", 100),
            folder().string() +
                ": the files to send come to 101 bytes, more than the limit of 100 bytes; the biggest are"
                " \"f40\" (40 bytes), \"f30\" (30 bytes), \"f20\" (20 bytes)."
                " A line in .hpsearchignore leaves a file or folder out");
  EXPECT_EQ(fault({"."}, "f40", 61), "");
}

TEST_F(FileTreeWalk, TooMuchIsSaidBeforeAnythingIsRead) {
  put(folder() / "big", "");
  fs::resize_file(folder() / "big", 3LL << 40);
  EXPECT_NE(fault({"."}, "", 1 << 30).find("come to 3298.53 GB, more than the limit of 1.07 GB"), std::string::npos);
}

TEST_F(FileTreeWalk, LinksInsideAreKeptAsLinks) {
  make({"src/a.py", "b.py"});
  fs::create_symlink("src/a.py", folder() / "file");
  fs::create_directory_symlink("src", folder() / "folder");
  fs::create_symlink("../b.py", folder() / "src/up");
  fs::create_symlink("nowhere", folder() / "dangling");
  const FileTree tree = tree_of(folder());
  EXPECT_EQ(paths(tree), (Names{"b.py", "dangling", "file", "folder", "src/a.py", "src/up"}));
  EXPECT_EQ(tree.files[3], (TreeFile{"folder", 0, false, "", "src"}));
  EXPECT_EQ(tree.files[5], (TreeFile{"src/up", 0, false, "", "../b.py"}));
}

TEST_F(FileTreeWalk, AbsoluteLinksIntoTheFolderBecomeRelative) {
  make({"e1/w", "x/y/z"});
  fs::create_symlink(fs::absolute(folder()) / "e1", folder() / "latest");
  fs::create_symlink(fs::absolute(folder()) / "e1/w", folder() / "x/y/w");
  const FileTree tree = tree_of(folder());
  EXPECT_EQ(tree.files[1].link, "e1");
  EXPECT_EQ(tree.files[2].link, "../../e1/w");

  fs::create_directory_symlink(folder(), home_.path() / "other-name");
  EXPECT_EQ(tree_of(home_.path() / "other-name"), tree);
  EXPECT_EQ(tree_of(folder() / ""), tree);
}

TEST_F(FileTreeWalk, LinksThatLeadOutAreNamed) {
  make({"a.py", "sub/b"});
  put(home_.path() / "outside");
  for (const fs::path& target :
       {fs::path("../../outside"), home_.path() / "outside", fs::path("../sub/../../outside")}) {
    fs::create_symlink(target, folder() / "sub/l");
    const std::string reason = fault({"."});
    EXPECT_NE(reason.find("code/sub/l\": a link to \"" + target.string()), std::string::npos) << reason;
    EXPECT_THROW(tree_of(folder()), UserError);
    EXPECT_EQ(fault({"."}, "l"), "");
    EXPECT_EQ(fault({"a.py"}), "");
    fs::remove(folder() / "sub/l");
  }
}

TEST_F(FileTreeWalk, NamesThatAreNotUtf8AreRefusedWhenTaken) {
  make({"a.py", "bad\xff" "name"});
  EXPECT_NE(fault({"."}).find("bad?name"), std::string::npos);
  EXPECT_THROW(tree_of(folder()), UserError);
  EXPECT_EQ(fault({"*.py"}), "");
  EXPECT_EQ(fault({"."}, "bad*"), "");
}

TEST_F(FileTreeWalk, SocketsAndPipesAreLeftOut) {
  make({"a"});
  ASSERT_EQ(::mkfifo((folder() / "pipe").c_str(), 0666), 0);
  const FileDescriptor server(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{AF_UNIX, {}};
  (folder() / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(paths(tree_of(folder())), Names{"a"});
  EXPECT_NE(fault({"pipe"}), "");
}

TEST_F(FileTreeWalk, WhatCanNotBeReadIsAnErrorOfTheDisk) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  make({"a", "sub/b"});
  fs::permissions(folder() / "a", fs::perms::none);
  EXPECT_THROW(tree_of(folder()), std::system_error);
  fs::permissions(folder() / "sub", fs::perms::none);
  EXPECT_THROW(snapshot({"sub"}), std::system_error);
  EXPECT_THROW(snapshot({"a"}), std::system_error);
  fs::permissions(folder() / "sub", fs::perms::owner_all);
  EXPECT_EQ(taken({"sub"}), Names{"sub/b"});
}

}  // namespace
}  // namespace hpsearch::testing
