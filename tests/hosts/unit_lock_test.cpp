#include "scheduler/hosts/unit_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "gpu_lab.h"
#include "scheduler/hosts/launch.h"
#include "scheduler/hosts/lock_file.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/trial_process.h"
#include "scheduler/hosts/unit_queue.h"

namespace hpsearch::testing {
namespace {

class UnitLockTest : public ::testing::Test {
 protected:
  GpuLab lab_;
};

TEST_F(UnitLockTest, WholeAndPartsExcludeEachOther) {
  auto half = lock_unit("GPU-a", 0.5);
  ASSERT_TRUE(half);
  EXPECT_FALSE(lock_unit("GPU-a", 1));
  EXPECT_TRUE(lock_unit("GPU-b", 1)) << "another unit";
  {
    const auto quarter = lock_unit("GPU-a", 0.25);
    EXPECT_TRUE(quarter);
    EXPECT_FALSE(lock_unit("GPU-a", 0.5));
    EXPECT_TRUE(lock_unit("GPU-a", 0.25));
  }
  EXPECT_TRUE(lock_unit("GPU-a", 0.5));
  half.reset();
  EXPECT_TRUE(lock_unit("GPU-a", 1));
}

TEST_F(UnitLockTest, AsManySharesFitAsAddUpToAUnit) {
  for (const double share : {1.0, 0.5, 1.0 / 3, 0.3, 0.25, 0.2, 1.0 / 7, 0.1, 1.0 / 13, 0.4, 0.6}) {
    std::vector<UnitLock> locks;
    while (auto lock = lock_unit("GPU-a", share)) locks.push_back(std::move(*lock));
    EXPECT_EQ(static_cast<int>(locks.size()), static_cast<int>(1 / share + 1e-9)) << share;
  }
}

TEST_F(UnitLockTest, HoldersAreThoseWhoHoldItNow) {
  EXPECT_TRUE(unit_holders("GPU-a").empty());
  auto one = lock_unit("GPU-a", 0.5);
  const auto other = lock_unit("GPU-a", 0.25);
  name_holder(*one, {"alice", "fashion", "00ff", 42});
  name_holder(*other, {"bob", "digits", "-", 43});
  std::vector<UnitHolder> holders = unit_holders("GPU-a");
  ASSERT_EQ(holders.size(), 2u);
  EXPECT_EQ(holders[0].parts, 2 * holders[1].parts);
  EXPECT_EQ(holders[0].name.attempt, "00ff");
  EXPECT_EQ(holders[1].name.pid, 43);
  EXPECT_EQ(holders_text(holders), "used by hpsearch study fashion of alice and hpsearch study digits of bob");
  one.reset();
  holders = unit_holders("GPU-a");
  EXPECT_EQ(holders_text(holders), "used by hpsearch study digits of bob");
  std::ofstream(lock_folder() / lock_name("GPU-a")) << std::string(1'000'000, '\x01');
  EXPECT_EQ(holders_text(unit_holders("GPU-a")), "used by another hpsearch study") << "anybody can write there";
}

TEST_F(UnitLockTest, FilesAreEverybodysWhateverTheUmask) {
  const mode_t before = ::umask(077);
  EXPECT_TRUE(lock_unit("MIG-GPU-a/1/0", 1));
  struct stat entry {};
  const auto path = lock_folder() / "hpsearch-gpu-MIG-GPU-a_1_0";
  ASSERT_EQ(::stat(path.c_str(), &entry), 0);
  EXPECT_EQ(entry.st_mode & 0777, 0666u);
  ::chmod(path.c_str(), 0600);
  EXPECT_TRUE(lock_unit("MIG-GPU-a/1/0", 1));
  ::stat(path.c_str(), &entry);
  EXPECT_EQ(entry.st_mode & 0777, 0666u) << "its creator died before it was open to all";
  ::umask(before);
}

TEST_F(UnitLockTest, LinksOfOthersAreNotFollowed) {
  std::ofstream(lab_.file("precious")) << "mine";
  std::filesystem::create_symlink(lab_.file("precious"), lock_folder() / lock_name("GPU-a"));
  std::filesystem::create_hard_link(lab_.file("precious"), lock_folder() / lock_name("GPU-b"));
  EXPECT_THROW(lock_unit("GPU-a", 1), std::system_error);
  EXPECT_THROW(lock_unit("GPU-b", 1), std::system_error);
}

// The keeper is killed; what it started in another session lives on, and may be using the unit.
TEST_F(UnitLockTest, ALockLivesAsLongAsAnyProcessThatInheritedIt) {
  auto lock = lock_unit("GPU-a", 1);
  const std::string pid_file = lab_.file("pid");
  const pid_t parent = spawn({"/bin/sh",
                              {"sh", "-c", "setsid sh -c 'echo $$ > " + pid_file + ".new; mv " + pid_file + ".new " + pid_file + "; exec sleep 60' & wait"},
                              {"PATH=/usr/bin:/bin"}, "", {{kFirstLock, lock->file.get()}}, Lead::session});
  lock.reset();
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(pid_file); }));
  EXPECT_FALSE(lock_unit("GPU-a", 0.1));
  GpuLab::end(parent);
  pid_t child = 0;
  std::ifstream(pid_file) >> child;
  ASSERT_TRUE(alive(child));
  EXPECT_FALSE(lock_unit("GPU-a", 0.1));
  EXPECT_EQ(unit_holders("GPU-a").size(), 1u);
  ::kill(child, SIGKILL);
  EXPECT_TRUE(eventually([] { return lock_unit("GPU-a", 1).has_value(); }));
}

TEST_F(UnitLockTest, NoOtherDescriptorIsInherited) {
  auto lock = lock_unit("GPU-a", 1);
  const pid_t child = spawn({"/bin/sleep", {"sleep", "60"}, {}, "", {}, Lead::session});
  lock.reset();
  EXPECT_TRUE(lock_unit("GPU-a", 1));
  GpuLab::end(child);
}

// As many descriptors as a trial on a large machine inherits, over numbers of which the launcher's own pipe is one.
TEST_F(UnitLockTest, ManyLocksAreInheritedAndAFailedExecIsStillHeardOf) {
  std::vector<UnitLock> locks;
  std::vector<std::pair<int, int>> descriptors;
  for (int i = 0; i < 16; ++i) {
    locks.push_back(std::move(*lock_unit("GPU-" + std::to_string(i), 1)));
    descriptors.emplace_back(kFirstLock + i, locks.back().file.get());
  }
  EXPECT_THROW(spawn({"/no/such/program", {"program"}, {}, "", descriptors, Lead::session}), std::system_error);
  const pid_t child = spawn({"/bin/sleep", {"sleep", "60"}, {}, "", descriptors, Lead::session});
  locks.clear();
  for (int i = 0; i < 16; ++i) EXPECT_FALSE(lock_unit("GPU-" + std::to_string(i), 1));
  GpuLab::end(child);
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(lock_unit("GPU-" + std::to_string(i), 1));
}

// As a keeper has them: at kFirstLock and behind.
TEST_F(UnitLockTest, ATrialInheritsTheLocksOfItsKeeperAndSeesItsUnits) {
  std::vector<UnitLock> locks;
  for (int i = 0; i < 2; ++i) {
    locks.push_back(std::move(*lock_unit("GPU-" + std::to_string(i), 1)));
    ASSERT_EQ(::dup2(locks.back().file.get(), kFirstLock + i), kFirstLock + i);
  }
  Launch launch;
  launch.argv = {"sh", "-c", "echo $CUDA_VISIBLE_DEVICES $HPSEARCH_GPUS; exec sleep 60"};
  launch.cwd = launch.folder = launch.artifact_dir = lab_.home.path();
  launch.devices = {"GPU-0", "GPU-1"};
  launch.visible_devices = "0,1";
  launch.locks = 2;
  int out[2];
  ASSERT_EQ(::pipe(out), 0);
  const pid_t trial = start_trial(launch, {lab_.home.path()}, out[1], out[1]);
  char text[64] = "";
  EXPECT_GT(::read(out[0], text, sizeof text - 1), 0);
  EXPECT_STREQ(text, "0,1 GPU-0,GPU-1\n");
  for (const int fd : {kFirstLock, kFirstLock + 1, out[0], out[1]}) ::close(fd);
  locks.clear();
  EXPECT_FALSE(lock_unit("GPU-1", 1));
  GpuLab::end(trial);
  EXPECT_TRUE(lock_unit("GPU-1", 1));
}

TEST_F(UnitLockTest, TheQueueShowsWhoElseWaits) {
  UnitQueue one("GPU-a"), other("GPU-a");
  EXPECT_FALSE(one.others());
  one.join();
  EXPECT_FALSE(one.others());
  EXPECT_TRUE(other.others());
  other.join();
  EXPECT_TRUE(one.others());
  one.leave();
  EXPECT_FALSE(other.others());
  EXPECT_TRUE(lock_unit("GPU-a", 1)) << "waiting locks nothing";
  std::filesystem::remove(lock_folder() / lock_name("GPU-a"));
  EXPECT_FALSE(other.others());
  EXPECT_TRUE(one.others()) << "who cleans up does not end the queue";
}

TEST(LockFolder, IsTheSameForAllUsers) {
  ::unsetenv("HPSEARCH_LOCK_DIR");
  struct stat entry {};
  const bool writable = ::stat("/run/lock", &entry) == 0 && (entry.st_mode & S_IWOTH);
  EXPECT_EQ(lock_folder(), writable ? "/run/lock" : "/tmp");
  ::setenv("HPSEARCH_LOCK_DIR", "/elsewhere", 1);
  EXPECT_EQ(lock_folder(), "/elsewhere");
}

}  // namespace
}  // namespace hpsearch::testing
