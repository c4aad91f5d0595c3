#include "scheduler/hosts/pool_unit.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "gpu_lab.h"
#include "scheduler/hosts/lock_file.h"

namespace hpsearch::testing {
namespace {

constexpr std::int64_t kGB = 1'000'000'000;

DeviceOptions options(double share, const std::string& study, int units = 1) {
  DeviceOptions options;
  options.share = share;
  options.units = units;
  options.user = "alice";
  options.study = study;
  return options;
}

// One study's view of GPU-a; time is a number.
struct View {
  explicit View(double share = 1, const std::string& study = "fashion") : options(testing::options(share, study)) {
    reading.uuid = reading.gpu = "GPU-a";
    reading.memory = 80 * kGB;
    reading.processes = 0;
  }

  // A reading that begins at `second`.
  void look(double second, bool complete = true) {
    unit.look(reading, ++number, Span(static_cast<std::int64_t>(1000 * second)), complete);
  }
  void look_free(double second) {
    reading.memory_used = 0;
    reading.pids.clear();
    reading.processes = 0;
    look(second);
  }
  void look_used(double second, std::int64_t memory, std::vector<std::int64_t> pids = {}) {
    reading.memory_used = memory;
    reading.processes = static_cast<int>(pids.size());
    reading.pids = std::move(pids);
    look(second);
  }
  // In hand from `second` on.
  void get(double second) {
    look_free(second - 1.1);
    look_free(second - 0.1);
    look_free(second);
    ASSERT_EQ(busy(), "");
  }
  void start(const std::string& attempt) {
    ASSERT_TRUE(unit.in_hand());
    keepers.push_back(unit.grant());
    unit.run(attempt);
  }
  void end(const std::string& attempt, double second) {
    keepers.clear();
    unit.end(attempt, Span(static_cast<std::int64_t>(1000 * second)));
  }
  std::string busy() const { return unit.unit().busy; }

  std::uint64_t number = 0;
  DeviceOptions options;
  GpuReading reading;
  PoolUnit unit{"GPU-a", options, [this] { return number + 1; }};
  std::vector<FileDescriptor> keepers;       // What keepers would have inherited.
};

bool locked() { return !lock_unit("GPU-a", 1); }

// A process of this user that no attempt started, and that lives.
std::int64_t stranger() { return ::getpid(); }
std::string stranger_text() { return "pid " + std::to_string(stranger()) + " of "; }

class PoolUnitTest : public ::testing::Test {
 protected:
  GpuLab lab_;
  View a_;
};

TEST_F(PoolUnitTest, IsFreeAfterTwoLooksALockAndAThirdLook) {
  a_.look_free(0);
  EXPECT_FALSE(a_.unit.settled());
  a_.look_free(0.5);
  EXPECT_FALSE(locked()) << "not a second apart";
  a_.look_free(1);
  EXPECT_TRUE(locked());
  EXPECT_FALSE(a_.unit.in_hand());
  EXPECT_NE(a_.busy(), "");
  a_.look_free(1.01);
  EXPECT_TRUE(a_.unit.in_hand());
  EXPECT_TRUE(a_.unit.settled());
  EXPECT_EQ(a_.busy(), "");
}

TEST_F(PoolUnitTest, AReadingThatBeganBeforeTheLockProvesNothing) {
  a_.look_free(0);
  a_.look_free(1);
  a_.unit.look(a_.reading, a_.number, Span(1010), true);
  EXPECT_FALSE(a_.unit.in_hand());
  a_.look_free(1.02);
  EXPECT_TRUE(a_.unit.in_hand());
}

TEST_F(PoolUnitTest, AProgramThatAppearsBetweenProbeAndLockIsSeen) {
  a_.look_free(0);
  a_.look_free(1);
  a_.look_used(1.01, 9 * kGB, {stranger()});
  EXPECT_EQ(a_.busy().rfind("9.0 GB in use by " + stranger_text(), 0), 0u) << a_.busy();
  EXPECT_FALSE(locked());
}

TEST_F(PoolUnitTest, OneBusySampleMakesItBusyAndTwoFreeOnesFree) {
  a_.get(2);
  a_.look_used(3, 9 * kGB);
  EXPECT_EQ(a_.busy(), "9.0 GB in use by no program that can be seen") << "one of another container";
  EXPECT_FALSE(locked());
  a_.look_free(4);
  EXPECT_NE(a_.busy(), "");
  a_.look_free(4.5);
  EXPECT_FALSE(locked());
  a_.look_free(5);
  a_.look_free(5.01);
  EXPECT_EQ(a_.busy(), "");
}

TEST_F(PoolUnitTest, ATrialOfOursDoesNotMakeItBusy) {
  a_.get(2);
  a_.start("a1");
  a_.look_used(3, 70 * kGB, {4'100'000});
  EXPECT_EQ(a_.busy(), "");
  EXPECT_FALSE(a_.unit.ready(0)) << "but there is no room for another";
  EXPECT_EQ(a_.unit.foreign(), "") << "a pid that is not found here proves nothing";
  EXPECT_EQ(unit_holders("GPU-a").at(0).name.attempt, "a1");
  a_.look_used(4, 70 * kGB, {stranger()});
  EXPECT_EQ(a_.unit.foreign().rfind(stranger_text(), 0), 0u);
  EXPECT_EQ(a_.unit.trials(), std::set<std::string>{"a1"});
}

TEST_F(PoolUnitTest, StaysInHandWhileTheMemoryOfATrialFalls) {
  a_.get(2);
  a_.start("a1");
  a_.look_used(3, 8 * kGB);
  a_.end("a1", 4);
  EXPECT_EQ(a_.busy(), "") << "the next trial may be planned already";
  a_.look_used(5, 8 * kGB);
  EXPECT_FALSE(a_.unit.ready(0));
  EXPECT_EQ(a_.unit.hindrance(), "8.0 GB still in use after its last trial");
  EXPECT_TRUE(locked());
  a_.look_free(6);
  EXPECT_TRUE(a_.unit.ready(a_.number));
}

TEST_F(PoolUnitTest, MemoryThatDoesNotFallIsPutInQuarantine) {
  a_.get(2);
  a_.start("a1");
  a_.end("a1", 10);
  a_.look_used(40, 8 * kGB);
  EXPECT_EQ(a_.busy(), "");
  a_.look_used(40.5, 8 * kGB);
  EXPECT_EQ(a_.busy(), "8.0 GB still in use 30s after its trial ended (quarantine)");
  a_.look_free(60);
  EXPECT_NE(a_.busy(), "") << "tested once a minute";
  a_.look_used(100.5, 3 * kGB);
  EXPECT_EQ(a_.busy(), "3.0 GB still in use 30s after its trial ended (quarantine)");
  a_.look_free(160.5);
  EXPECT_EQ(a_.busy(), "");
  EXPECT_TRUE(a_.unit.ready(a_.number));
}

TEST_F(PoolUnitTest, AProgramThatTookOverAfterATrialIsNoGhost) {
  a_.get(2);
  a_.start("a1");
  a_.end("a1", 10);
  a_.look_used(11, 8 * kGB, {stranger()});
  EXPECT_EQ(a_.busy().rfind("8.0 GB in use by " + stranger_text(), 0), 0u) << a_.busy();
  EXPECT_FALSE(locked());
}

TEST_F(PoolUnitTest, WhatIsNotRunGoesBack) {
  a_.get(2);
  { const FileDescriptor lock = a_.unit.grant(); }
  a_.unit.take_back(Span(2000));
  a_.look_free(3);
  EXPECT_TRUE(a_.unit.ready(a_.number));
  EXPECT_TRUE(locked());
}

TEST_F(PoolUnitTest, ProhibitedIsBusyAndLockedByNobody) {
  a_.reading.mode = ComputeMode::prohibited;
  for (int second = 0; second < 5; ++second) a_.look_free(second);
  EXPECT_EQ(a_.busy(), "its compute mode is prohibited");
  EXPECT_FALSE(locked());
}

TEST_F(PoolUnitTest, OneThatMayNotBeUsedIsOnlyWatched) {
  a_.unit.offer(false);
  for (int second = 0; second < 5; ++second) a_.look_free(second);
  EXPECT_FALSE(a_.unit.offered());
  EXPECT_FALSE(locked());
}

TEST_F(PoolUnitTest, OneThatTrialsCannotUseIsToldOfAndNeverTaken) {
  View a;
  a.options.fits = [](const Unit& unit) { return unit.memory > 100 * kGB; };
  for (int second = 0; second < 5; ++second) a.look_free(second);
  EXPECT_EQ(a.busy(), "");
  EXPECT_TRUE(a.unit.settled());
  EXPECT_FALSE(locked());
}

TEST_F(PoolUnitTest, ALockWhoseFileWasRemovedIsTakenAnew) {
  a_.get(2);
  std::filesystem::remove(lock_folder() / lock_name("GPU-a"));
  EXPECT_FALSE(locked());
  a_.look_free(3);
  a_.look_free(3.1);
  EXPECT_EQ(a_.busy(), "");
  EXPECT_TRUE(locked());
}

TEST_F(PoolUnitTest, NothingSeenIsNothingFreeAndRunningTrialsStay) {
  a_.get(2);
  a_.unit.blind("the driver does not answer", Span(12'000));
  EXPECT_EQ(a_.busy(), "can't be read: the driver does not answer");
  EXPECT_FALSE(locked());
  a_.get(20);
  a_.start("a1");
  a_.unit.blind("GPU is lost", Span(21'000));
  EXPECT_EQ(a_.busy(), "can't be read: GPU is lost");
  EXPECT_TRUE(locked());
  EXPECT_EQ(a_.unit.trials().size(), 1u);
  a_.look_used(22, 8 * kGB);
  EXPECT_EQ(a_.busy(), "");
}

TEST_F(PoolUnitTest, AFileThatCannotBeLockedIsSaid) {
  std::filesystem::create_directory(lock_folder() / lock_name("GPU-a"));
  for (int second = 0; second < 3; ++second) a_.look_free(second);
  EXPECT_EQ(a_.busy().rfind("can't be locked: ", 0), 0u) << a_.busy();
  EXPECT_NE(a_.busy().find(lock_name("GPU-a")), std::string::npos) << a_.busy();
  std::filesystem::remove(lock_folder() / lock_name("GPU-a"));
  a_.look_free(4);
  a_.look_free(5);
  EXPECT_EQ(a_.busy(), "");
}

// ---- Shares ------------------------------------------------------------------------------------------------------

TEST_F(PoolUnitTest, AsManyTrialsAsFitRunOnOneUnit) {
  View a(0.3);
  a.get(2);
  for (const char* attempt : {"a1", "a2", "a3"}) {
    for (int i = 0; i < 3 && !a.unit.in_hand(); ++i) a.look_used(10 + a.number, 20 * kGB, {4'100'000});
    a.start(attempt);
    EXPECT_EQ(a.busy(), "") << "of a trial that others follow";
  }
  for (int i = 0; i < 5; ++i) a.look_used(30 + i, 60 * kGB, {4'100'000});
  EXPECT_FALSE(a.unit.in_hand());
  EXPECT_EQ(a.busy(), "") << "the scheduler counts its own trials";
  a.end("a2", 40);
  a.look_used(41, 40 * kGB, {4'100'000});
  EXPECT_TRUE(a.unit.ready(a.number)) << "others' memory is no sign of its own";
}

TEST_F(PoolUnitTest, AGpuInExclusiveModeRunsOneTrialOnly) {
  View a(0.5);
  a.reading.mode = ComputeMode::exclusive;
  a.get(2);
  EXPECT_FALSE(lock_unit("GPU-a", 0.5)) << "all of it is locked";
  a.start("a1");
  for (int i = 0; i < 5; ++i) a.look_used(3 + i, 20 * kGB, {4'100'000});
  EXPECT_FALSE(a.unit.in_hand());
}

TEST_F(PoolUnitTest, StrangersKeepFurtherTrialsAway) {
  View a(0.5);
  a.get(2);
  a.start("a1");
  for (int i = 0; i < 5; ++i) a.look_used(3 + i, 20 * kGB, {stranger()});
  EXPECT_FALSE(a.unit.in_hand());
  EXPECT_EQ(a.busy().rfind("in use by " + stranger_text(), 0), 0u) << a.busy();
}

// ---- Several studies ---------------------------------------------------------------------------------------------

TEST_F(PoolUnitTest, WhatAnotherStudyHasIsSaid) {
  View b(1, "digits");
  a_.get(2);
  for (int i = 0; i < 3; ++i) b.look_free(3 + i);
  EXPECT_EQ(b.busy(), "used by hpsearch study fashion of alice");
  EXPECT_TRUE(b.unit.settled());
  a_.start("a1");
  b.look_used(7, 9 * kGB, {4'100'000});
  EXPECT_EQ(b.busy(), "used by hpsearch study fashion of alice") << "and not 9 GB";
}

TEST_F(PoolUnitTest, AnIdleUnitIsLetGoWhenSomebodyWaits) {
  View b(1, "digits");
  a_.get(2);
  a_.look_free(100);
  EXPECT_TRUE(locked()) << "nobody waits";
  b.look_free(101);
  a_.look_free(101);
  EXPECT_FALSE(locked());
  EXPECT_EQ(a_.busy(), "left to another study that waits for it");
  b.look_free(102);
  b.look_free(102.1);
  EXPECT_EQ(b.busy(), "");
  a_.look_free(110);
  EXPECT_EQ(a_.busy(), "used by hpsearch study digits of alice");
}

TEST_F(PoolUnitTest, ATrialThatIsPromisedTheUnitKeepsIt) {
  View b(1, "digits");
  a_.get(2);
  b.look_free(10);
  a_.unit.want(true);
  a_.look_free(11);
  EXPECT_TRUE(a_.unit.in_hand());
  a_.unit.want(false);
  a_.look(12, false);
  EXPECT_TRUE(a_.unit.in_hand()) << "units for the same trial are still to come";
  a_.look(130, false);
  EXPECT_FALSE(a_.unit.in_hand()) << "for too long";
}

TEST_F(PoolUnitTest, AfterATrialOthersWhoWaitGetTheUnit) {
  View b(1, "digits");
  a_.get(2);
  a_.start("a1");
  b.look_free(3);
  a_.end("a1", 4);
  EXPECT_EQ(a_.busy(), "left to another study that waits for it");
  a_.look_used(5, 8 * kGB);
  EXPECT_TRUE(locked()) << "its memory is ours to watch";
  a_.look_free(6);
  EXPECT_FALSE(locked());
  b.look_free(6.5);
  a_.look_free(7);
  b.look_free(7.5);
  b.look_free(7.6);
  EXPECT_EQ(b.busy(), "");
  for (int second = 8; second < 12; ++second) a_.look_free(second);
  EXPECT_EQ(a_.busy(), "used by hpsearch study digits of alice");
  b.start("b1");
  b.end("b1", 20);
  EXPECT_EQ(b.busy(), "left to another study that waits for it") << "now it is a's turn";
}

TEST_F(PoolUnitTest, AUnitTakenToNoUseIsLeftAloneForLongerEachTime) {
  View b(1, "digits");
  double second = 0;
  std::vector<double> pauses;
  for (int round = 0; round < 8; ++round) {
    for (; !a_.unit.in_hand(); second += 0.5) a_.look_free(second);
    b.look_free(second);
    for (; a_.unit.in_hand(); second += 0.5) a_.look_free(second);
    const double gone = second;
    b.look(second);
    for (; !a_.unit.in_hand(); second += 0.5) {
      a_.look_free(second);
      b.reading.memory_used = 9 * kGB;       // It never gets the unit.
      b.look(second);
    }
    pauses.push_back(second - gone);
  }
  EXPECT_LT(pauses.front(), 5);
  EXPECT_GT(pauses.back(), 60);
  EXPECT_LT(pauses.back(), 95);
}

TEST_F(PoolUnitTest, TwoStudiesShareAUnitWithoutQuarrel) {
  View a(0.5), b(0.5, "digits");
  a.get(2);
  a.look_free(2.1);
  a.look_free(2.2);
  EXPECT_TRUE(locked());
  for (int i = 0; i < 40; ++i) {
    a.look_free(3 + i);
    b.look_free(3.5 + i);
  }
  EXPECT_EQ(a.busy(), "");
  EXPECT_EQ(b.busy(), "");
  EXPECT_EQ(unit_holders("GPU-a").size(), 2u);
  a.start("a1");
  for (int i = 0; i < 5; ++i) b.look_used(50 + i, 9 * kGB, {4'100'000});
  EXPECT_EQ(b.busy(), "") << "a's trial is on a's half";
  b.start("b1");
  b.look_used(60, 19 * kGB, {4'100'000});
  EXPECT_EQ(b.busy(), "used by hpsearch study fashion of alice") << "the scheduler must not count on the other half";
}

TEST_F(PoolUnitTest, WhoWantsAWholeUnitGetsItFromWhoRunsOnParts) {
  View whole(1, "digits"), parts(0.5);
  parts.get(2);
  parts.start("p1");
  parts.look_used(2.5, 9 * kGB, {4'100'000});
  parts.look_used(2.6, 9 * kGB, {4'100'000});
  parts.start("p2");
  whole.look_used(3, 18 * kGB, {4'100'000});
  std::vector<FileDescriptor> p2;
  p2.push_back(std::move(parts.keepers.back()));
  parts.end("p1", 4);
  for (int i = 5; i < 60; ++i) {
    parts.look_used(i, 9 * kGB, {4'100'000});
    whole.look_used(i, 9 * kGB, {4'100'000});
    EXPECT_FALSE(parts.unit.in_hand()) << "no third trial while another study waits";
  }
  p2.clear();
  parts.end("p2", 60);
  for (int i = 61; i < 66; ++i) {
    parts.look_free(i);
    whole.look_free(i);
  }
  EXPECT_TRUE(whole.unit.in_hand());
}

// ---- Trials that an earlier scheduler started --------------------------------------------------------------------

TEST_F(PoolUnitTest, AnAdoptedTrialIsNoStrangerAndItsUnitComesBack) {
  auto keeper = lock_unit("GPU-a", 1);
  name_holder(*keeper, {"alice", "fashion", "a1", 42});
  a_.unit.run("a1");
  for (int i = 0; i < 4; ++i) a_.look_used(i, 20 * kGB, {4'100'000});
  EXPECT_EQ(a_.busy(), "");
  EXPECT_EQ(a_.unit.trials(), std::set<std::string>{"a1"});
  a_.unit.end("a1", Span(5'000));
  a_.look_used(5.5, 20 * kGB);
  EXPECT_EQ(a_.busy(), "") << "its keeper is about to go";
  keeper.reset();
  a_.look_used(6, 10 * kGB);
  EXPECT_TRUE(locked());
  a_.look_free(7);
  EXPECT_TRUE(a_.unit.ready(a_.number));
}

TEST_F(PoolUnitTest, AnAdoptedTrialsUnitMayGoToOthers) {
  auto keeper = lock_unit("GPU-a", 1);
  name_holder(*keeper, {"alice", "fashion", "a1", 42});
  a_.unit.run("a1");
  a_.look_used(1, 20 * kGB, {4'100'000});
  keeper.reset();
  keeper = lock_unit("GPU-a", 1);
  name_holder(*keeper, {"bob", "digits", "-", 43});
  a_.unit.end("a1", Span(2'000));
  a_.look_free(3);
  EXPECT_EQ(a_.busy(), "used by hpsearch study digits of bob");
}

}  // namespace
}  // namespace hpsearch::testing
