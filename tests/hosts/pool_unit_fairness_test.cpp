#include "pool_unit_lab.h"

namespace hpsearch::testing {
namespace {

using PoolUnitFairness = PoolUnitTest;

TEST_F(PoolUnitFairness, WhatAnotherStudyHasIsSaid) {
  PoolView b(1, "digits");
  a_.get(2);
  for (int i = 0; i < 3; ++i) b.look_free(3 + i);
  EXPECT_EQ(b.busy(), "used by hpsearch study fashion of alice");
  EXPECT_TRUE(b.unit.settled());
  a_.start("a1");
  b.look_used(7, 9 * kGB, {4'100'000});
  EXPECT_EQ(b.busy(), "used by hpsearch study fashion of alice") << "and not 9 GB";
}

TEST_F(PoolUnitFairness, AnIdleUnitIsLetGoWhenSomebodyWaits) {
  PoolView b(1, "digits");
  a_.get(2);
  a_.look_free(100);
  EXPECT_TRUE(unit_locked()) << "nobody waits";
  b.look_free(101);
  a_.look_free(101);
  EXPECT_FALSE(unit_locked());
  EXPECT_EQ(a_.busy(), "left to another study that waits for it");
  b.look_free(102);
  b.look_free(102.1);
  EXPECT_EQ(b.busy(), "");
  a_.look_free(110);
  EXPECT_EQ(a_.busy(), "used by hpsearch study digits of alice");
}

TEST_F(PoolUnitFairness, ATrialThatIsPromisedTheUnitKeepsIt) {
  PoolView b(1, "digits");
  a_.get(2);
  b.look_free(10);
  a_.unit.want(true);
  a_.look_free(11);
  EXPECT_TRUE(a_.unit.in_hand());
  a_.unit.want(false);
  a_.demand.complete = false;
  a_.look(12);
  a_.look(1300);
  EXPECT_TRUE(a_.unit.in_hand()) << "units for the same trial are still to come";
  a_.demand.promising = false;
  a_.look(1301);
  EXPECT_TRUE(a_.unit.in_hand()) << "it may be for a moment only";
  a_.demand.given_up = true;
  a_.look(1302);
  EXPECT_FALSE(a_.unit.in_hand());
}

TEST_F(PoolUnitFairness, AfterATrialOthersWhoWaitGetTheUnit) {
  PoolView b(1, "digits");
  a_.get(2);
  a_.start("a1");
  b.look_free(3);
  a_.end("a1", 4);
  EXPECT_EQ(a_.busy(), "left to another study that waits for it");
  a_.look_used(5, 8 * kGB);
  EXPECT_TRUE(unit_locked()) << "its memory is ours to watch";
  a_.look_free(6);
  EXPECT_FALSE(unit_locked());
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

TEST_F(PoolUnitFairness, AUnitTakenToNoUseIsLeftAloneForLongerEachTime) {
  PoolView b(1, "digits");
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

TEST_F(PoolUnitFairness, TwoStudiesShareAUnitWithoutQuarrel) {
  PoolView a(0.5), b(0.5, "digits");
  a.get(2);
  a.look_free(2.1);
  a.look_free(2.2);
  EXPECT_TRUE(unit_locked());
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

TEST_F(PoolUnitFairness, WhoWantsAWholeUnitGetsItFromWhoRunsOnParts) {
  PoolView whole(1, "digits"), parts(0.5);
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

}  // namespace
}  // namespace hpsearch::testing
