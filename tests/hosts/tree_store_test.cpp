#include "scheduler/hosts/tree_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <barrier>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "tree_lab.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

unsigned mode_of(const fs::path& file) { return static_cast<unsigned>(fs::symlink_status(file).permissions()); }

class TreeStoreTest : public ::testing::Test {
 protected:
  TreeStoreTest() {
    put(code_ / "a.py", "abc");
    put(code_ / "copy of a.py", "abc");
    put(code_ / "empty", "");
    put(code_ / "sub/deeper/-odd \"name\"\n", "odd");
    put(code_ / "sub/run.sh", "exit 0");
    fs::permissions(code_ / "sub/run.sh", fs::perms::owner_exec | fs::perms::group_exec, fs::perm_options::add);
    fs::create_symlink("../a.py", code_ / "sub/link");
    fs::create_directory_symlink("sub/deeper", code_ / "short");
    tree_ = tree_of(code_);
  }
  void send_all() const { send(tree_, code_, store_); }

  TemporaryFolder home_;
  const fs::path code_ = home_.path() / "code", target_ = home_.path() / "made/here/target";
  const TreeStore store_{home_.path() / "cache/store"};
  FileTree tree_;
};

TEST_F(TreeStoreTest, LacksEachContentsOnceUntilTheyAreSent) {
  const Names all = store_.missing(tree_);
  EXPECT_EQ(all, (Names{hash_of("abc"), hash_of(""), hash_of("odd"), hash_of("exit 0")}));
  EXPECT_EQ(send(tree_, code_, store_), 4);
  EXPECT_EQ(store_.missing(tree_), Names{});
  EXPECT_EQ(text_of(store_.file(hash_of("odd"))), "odd");

  put(code_ / "a.py", "abd");
  EXPECT_EQ(send(tree_of(code_), code_, store_), 1) << "only what changed";
}

TEST_F(TreeStoreTest, UnpacksWhatWasPacked) {
  send_all();
  for (const TreeUse use : {TreeUse::change, TreeUse::read}) {
    const fs::path target = target_ / std::to_string(static_cast<int>(use));
    store_.unpack(tree_, target, use);
    EXPECT_EQ(tree_of(target), tree_);
    EXPECT_EQ(text_of(target / "short/-odd \"name\"\n"), "odd");
    EXPECT_EQ(text_of(target / "sub/link"), "abc");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(target_), {}), 2) << "no drafts";
}

TEST_F(TreeStoreTest, AnEmptyTreeIsAnEmptyFolder) {
  store_.unpack({}, target_, TreeUse::read);
  EXPECT_TRUE(fs::is_directory(target_));
  EXPECT_EQ(entries_below(target_), 0);
}

TEST_F(TreeStoreTest, FilesToReadAreLinkedAndWriteProtected) {
  send_all();
  store_.unpack(tree_, target_ / "", TreeUse::read);
  EXPECT_TRUE(fs::equivalent(target_ / "a.py", store_.file(hash_of("abc"))));
  EXPECT_EQ(mode_of(target_ / "a.py") & 0333, 0u);
  EXPECT_EQ(mode_of(target_ / "sub/run.sh") & 0322, 0100u) << "programs are copies: the mode is not shared";
  EXPECT_EQ(mode_of(store_.file(hash_of("exit 0"))) & 0333, 0u);
  if (::geteuid() != 0) {
    EXPECT_FALSE(std::ofstream(target_ / "a.py").is_open());
  }
  EXPECT_NO_THROW(fs::remove_all(target_)) << "its folders can be cleared";
  EXPECT_EQ(store_.missing(tree_), Names{});
}

TEST_F(TreeStoreTest, FilesToChangeAreCopies) {
  send_all();
  store_.unpack(tree_, target_, TreeUse::change);
  EXPECT_EQ(mode_of(target_ / "a.py") & 0700, 0600u);
  EXPECT_EQ(mode_of(target_ / "sub/run.sh") & 0700, 0700u);
  put(target_ / "a.py", "changed");
  EXPECT_EQ(text_of(store_.file(hash_of("abc"))), "abc");
  EXPECT_EQ(text_of(target_ / "copy of a.py"), "abc");
}

TEST_F(TreeStoreTest, TheUmaskHolds) {
  const mode_t before = ::umask(077);
  send_all();
  store_.unpack(tree_, target_, TreeUse::change);
  ::umask(before);
  EXPECT_EQ(mode_of(store_.file(hash_of("abc"))), 0400u);
  EXPECT_EQ(mode_of(target_ / "sub/run.sh"), 0700u);
  EXPECT_EQ(mode_of(target_ / "a.py"), 0600u);
}

TEST_F(TreeStoreTest, AnotherDiskGetsCopies) {
  const fs::path other = "/dev/shm/hpsearch-tree-store-test." + std::to_string(::getpid());
  std::error_code error;
  if (!fs::create_directory(other, error)) GTEST_SKIP() << "no second disk";
  send_all();
  store_.unpack(tree_, other / "target", TreeUse::read);
  EXPECT_EQ(tree_of(other / "target"), tree_);
  EXPECT_EQ(mode_of(other / "target/a.py") & 0333, 0u);
  fs::remove_all(other);
}

TEST_F(TreeStoreTest, AnExistingTargetIsLeft) {
  send_all();
  put(target_ / "mine", "here first");
  store_.unpack(tree_, target_, TreeUse::change);
  EXPECT_EQ(entries_below(target_), 1);
  EXPECT_EQ(text_of(target_ / "mine"), "here first");
}

TEST_F(TreeStoreTest, AFileWhereTheTargetShouldBeIsAnError) {
  send_all();
  put(target_, "a file");
  EXPECT_THROW(store_.unpack(tree_, target_, TreeUse::read), std::system_error);
  EXPECT_EQ(entries_below(target_.parent_path()), 1);
}

TEST_F(TreeStoreTest, MissingOrDamagedContentsLeaveNoTarget) {
  EXPECT_THROW(store_.unpack(tree_, target_, TreeUse::read), std::system_error);
  EXPECT_EQ(entries_below(target_.parent_path()), 0);

  send_all();
  fs::permissions(store_.file(hash_of("abc")), fs::perms::owner_write, fs::perm_options::add);
  fs::resize_file(store_.file(hash_of("abc")), 1);
  EXPECT_EQ(store_.missing(tree_), Names{hash_of("abc")});
  EXPECT_THROW(store_.unpack(tree_, target_, TreeUse::read), std::system_error);
  EXPECT_EQ(entries_below(target_.parent_path()), 0);
  send_all();
  store_.unpack(tree_, target_, TreeUse::read);
  EXPECT_EQ(tree_of(target_), tree_);
}

TEST_F(TreeStoreTest, WhatIsNoHashNamesNoFile) {
  for (const char* hash : {"", "../../etc/passwd", "incoming"}) {
    EXPECT_THROW(store_.file(hash), std::invalid_argument);
    EXPECT_THROW(store_.begin(hash, 1), std::invalid_argument);
  }
  EXPECT_THROW(store_.begin(hash_of("a"), -1), std::invalid_argument);
  EXPECT_EQ(entries_below(home_.path() / "cache"), 0);
}

TEST_F(TreeStoreTest, TwoMayAddTheSameContents) {
  IncomingFile a = store_.begin(hash_of("abc"), 3), b = store_.begin(hash_of("abc"), 3);
  a.append("ab");
  b.append("abc");
  b.finish();
  a.append("c");
  a.finish();
  EXPECT_EQ(text_of(store_.file(hash_of("abc"))), "abc");
  EXPECT_EQ(entries_below(home_.path() / "cache"), 3) << "the store, its incoming/ and one file";
}

TEST_F(TreeStoreTest, ManyMaySendAndUnpackAtOnce) {
  constexpr int kRounds = 20, kThreads = 4;
  std::barrier start(kThreads);
  const auto work = [&] {
    for (int round = 0; round < kRounds; ++round) {
      const TreeStore store(home_.path() / "stores" / std::to_string(round));
      const fs::path target = target_ / std::to_string(round);
      start.arrive_and_wait();
      send(tree_, code_, store);
      store.unpack(tree_, target, TreeUse::change);
      EXPECT_EQ(tree_of(target), tree_);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(target_), {}), kRounds) << "no drafts";
}

long peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(TreeStoreTest, ABigFileIsNeverWhollyInMemory) {
  constexpr int kMegabytes = 50;
  fs::remove_all(code_);
  fs::create_directory(code_);
  std::ofstream big(code_ / "model.pt", std::ios::binary);
  std::string megabyte(1 << 20, '\0');
  for (int i = 0; i < kMegabytes; ++i) {
    megabyte[i] = 'x';
    big << megabyte;
  }
  big.close();

  const long before = peak_kilobytes();
  const FileTree tree = tree_of(code_);
  EXPECT_EQ(tree.bytes(), kMegabytes << 20);
  send(tree, code_, store_, 1 << 20);
  store_.unpack(tree, target_, TreeUse::change);
  EXPECT_EQ(tree_of(target_), tree);
  EXPECT_LT(peak_kilobytes() - before, 20 << 10);
}

}  // namespace
}  // namespace hpsearch::testing
