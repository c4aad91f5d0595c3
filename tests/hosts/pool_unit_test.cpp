#include "pool_unit_lab.h"

#include <filesystem>

namespace hpsearch::testing {
namespace {

TEST_F(PoolUnitTest, IsFreeAfterTwoLooksALockAndAThirdLook) {
  a_.look_free(0);
  EXPECT_FALSE(a_.unit.settled());
  a_.look_free(0.5);
  EXPECT_FALSE(unit_locked()) << "not a second apart";
  a_.look_free(1);
  EXPECT_TRUE(unit_locked());
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
  a_.unit.look(a_.reading, a_.number, Span(1010), a_.demand);
  EXPECT_FALSE(a_.unit.in_hand());
  a_.look_free(1.02);
  EXPECT_TRUE(a_.unit.in_hand());
}

TEST_F(PoolUnitTest, AProgramThatAppearsBetweenProbeAndLockIsSeen) {
  a_.look_free(0);
  a_.look_free(1);
  a_.look_used(1.01, 9 * kGB, {stranger()});
  EXPECT_EQ(a_.busy().rfind("9.0 GB in use by " + stranger_text(), 0), 0u) << a_.busy();
  EXPECT_FALSE(unit_locked());
}

TEST_F(PoolUnitTest, OneBusySampleMakesItBusyAndTwoFreeOnesFree) {
  a_.get(2);
  a_.look_used(3, 9 * kGB);
  EXPECT_EQ(a_.busy(), "9.0 GB in use by no program that can be seen") << "one of another container";
  EXPECT_FALSE(unit_locked());
  a_.look_free(4);
  EXPECT_NE(a_.busy(), "");
  a_.look_free(4.5);
  EXPECT_FALSE(unit_locked());
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

TEST_F(PoolUnitTest, WhatIsNotRunGoesBack) {
  a_.get(2);
  { const FileDescriptor lock = a_.unit.grant(); }
  a_.unit.take_back(Span(2000));
  a_.look_free(3);
  EXPECT_TRUE(a_.unit.ready(a_.number));
  EXPECT_TRUE(unit_locked());
}

TEST_F(PoolUnitTest, ProhibitedIsBusyAndLockedByNobody) {
  a_.reading.mode = ComputeMode::prohibited;
  for (int second = 0; second < 5; ++second) a_.look_free(second);
  EXPECT_EQ(a_.busy(), "its compute mode is prohibited");
  EXPECT_FALSE(unit_locked());
}

TEST_F(PoolUnitTest, OneThatMayNotBeUsedIsOnlyWatched) {
  a_.unit.offer(false);
  for (int second = 0; second < 5; ++second) a_.look_free(second);
  EXPECT_FALSE(a_.unit.offered());
  EXPECT_FALSE(unit_locked());
}

TEST_F(PoolUnitTest, OneThatTrialsCannotUseIsToldOfAndNeverTaken) {
  PoolView a;
  a.options.fits = [](const Unit& unit) { return unit.memory > 100 * kGB; };
  for (int second = 0; second < 5; ++second) a.look_free(second);
  EXPECT_EQ(a.busy(), "");
  EXPECT_TRUE(a.unit.settled());
  EXPECT_FALSE(unit_locked());
}

TEST_F(PoolUnitTest, ALockWhoseFileWasRemovedIsTakenAnew) {
  a_.get(2);
  std::filesystem::remove(lock_folder() / lock_name("GPU-a"));
  EXPECT_FALSE(unit_locked());
  a_.look_free(3);
  a_.look_free(3.1);
  EXPECT_EQ(a_.busy(), "");
  EXPECT_TRUE(unit_locked());
}

TEST_F(PoolUnitTest, NothingSeenIsNothingFreeAndRunningTrialsStay) {
  a_.get(2);
  a_.unit.blind("the driver does not answer", Span(12'000));
  EXPECT_EQ(a_.busy(), "can't be read: the driver does not answer");
  EXPECT_FALSE(unit_locked());
  a_.get(20);
  a_.start("a1");
  a_.unit.blind("GPU is lost", Span(21'000));
  EXPECT_EQ(a_.busy(), "can't be read: GPU is lost");
  EXPECT_TRUE(unit_locked());
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

TEST_F(PoolUnitTest, AsManyTrialsAsFitRunOnOneUnit) {
  PoolView a(0.3);
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
  PoolView a(0.5);
  a.reading.mode = ComputeMode::exclusive;
  a.get(2);
  EXPECT_FALSE(lock_unit("GPU-a", 0.5)) << "all of it is locked";
  a.start("a1");
  for (int i = 0; i < 5; ++i) a.look_used(3 + i, 20 * kGB, {4'100'000});
  EXPECT_FALSE(a.unit.in_hand());
}

TEST_F(PoolUnitTest, StrangersKeepFurtherTrialsAway) {
  PoolView a(0.5);
  a.get(2);
  a.start("a1");
  for (int i = 0; i < 5; ++i) a.look_used(3 + i, 20 * kGB, {stranger()});
  EXPECT_FALSE(a.unit.in_hand());
  EXPECT_EQ(a.busy().rfind("in use by " + stranger_text(), 0), 0u) << a.busy();
}

}  // namespace
}  // namespace hpsearch::testing
