#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "store/errors.h"
#include "store/sqlite_store.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"

namespace hpsearch {
namespace {

// A file system of 2 MB; needs the right to mount.
class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    mounted_ = mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=2m") == 0;
    if (!mounted_) GTEST_SKIP() << "can't mount a small tmpfs here: " << std::strerror(errno);
  }
  void TearDown() override {
    if (mounted_) umount2(folder_.path().c_str(), MNT_DETACH);
  }
  // Takes what room is left.
  void fill() {
    std::ofstream ballast(folder_ / "ballast", std::ios::app);
    while (ballast << 'x') {
    }
  }
  // Appends until it fails; answers the last seq that was stored.
  Seq append_until_full(SqliteStore& store, Seq last) {
    for (;; last += 100) {
      try {
        store.append(report_batch(last + 1, 100));
      } catch (const DiskFull& error) {
        message_ = error.what();
        return last;
      }
    }
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "study.db";
  bool mounted_ = false;
  std::string message_;
};

TEST_F(FullDisk, SaysSoPlainlyKeepsWhatWasStoredAndGoesOnWhenThereIsRoom) {
  auto store = SqliteStore::create(file_);
  const Seq stored = append_until_full(*store, 0);
  EXPECT_EQ(message_, "disk full: cannot write " + file_.string() + "; free some space, then: hpsearch resume");
  EXPECT_GT(stored, 1000u);
  EXPECT_EQ(read_all(*store).size(), stored);
  store.reset();
  EXPECT_EQ(mount("tmpfs", folder_.path().c_str(), "tmpfs", MS_REMOUNT, "size=20m"), 0);
  store = SqliteStore::open(file_);
  EXPECT_EQ(read_all(*store).size(), stored);
  store->append(report_batch(stored + 1, 100));
  EXPECT_EQ(read_all(*store).size(), stored + 100);
}

TEST_F(FullDisk, SameProcessGoesOnWhenThereIsRoom) {
  auto store = SqliteStore::create(file_);
  store->append(report_batch(1, 10));
  fill();
  const Seq stored = append_until_full(*store, 10);
  std::filesystem::remove(folder_ / "ballast");
  store->append(report_batch(stored + 1, 10));
  EXPECT_EQ(read_all(*store).size(), stored + 10);
}

TEST_F(FullDisk, ReadingWorksWithoutRoom) {
  auto store = SqliteStore::create(file_);
  const Seq stored = append_until_full(*store, 0);
  store.reset();
  EXPECT_EQ(read_all(*SqliteStore::open_read_only(file_)).size(), stored);
}

TEST_F(FullDisk, NewStudyIsRefusedAndLeavesNoHalfMadeOne) {
  fill();
  EXPECT_THROW(SqliteStore::create(file_), DiskFull);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace hpsearch
