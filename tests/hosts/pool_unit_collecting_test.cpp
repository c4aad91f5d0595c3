#include "pool_unit_lab.h"

namespace hpsearch::testing {
namespace {

// One that collects the unit for a trial of several, of which others are still to come.
UnitDemand collecting(std::int64_t ticket) { return {true, false, true, false, ticket}; }

struct Collector : PoolView {
  Collector(const std::string& study, std::int64_t ticket) : PoolView(1, study) {
    options.units = 4;
    demand = collecting(ticket);
  }
};

using PoolUnitCollecting = PoolUnitTest;

TEST_F(PoolUnitCollecting, WhatComesFreeIsLeftToWhoCollectsIt) {
  Collector wide("digits", 1);
  PoolView other(1, "letters");
  a_.get(2);
  a_.start("a1");
  wide.look_used(3, 8 * kGB, {4'100'000});
  other.look_used(3, 8 * kGB, {4'100'000});
  a_.end("a1", 4);
  a_.look_free(4.1);
  for (const double second : {4.2, 5.3, 6.4}) {
    other.look_free(second);
    a_.look_free(second);
    EXPECT_EQ(other.busy(), "left to another study that waits for it");
  }
  for (const double second : {6.5, 7.5, 7.6}) wide.look_free(second);
  EXPECT_TRUE(wide.unit.in_hand());
}

TEST_F(PoolUnitCollecting, ItIsKeptForAsLongAsTheOthersAreToCome) {
  Collector wide("digits", 1);
  wide.get(2);
  for (int second = 3; second < 3000; second += 100) {
    a_.look_free(second);
    wide.look_free(second);
  }
  EXPECT_TRUE(wide.unit.in_hand());
  wide.demand.any = false;
  wide.look_free(3000);
  EXPECT_FALSE(wide.unit.in_hand()) << "no trial waits any more";
}

TEST_F(PoolUnitCollecting, WhoCameLaterGivesWay) {
  Collector first("digits", 1), second("letters", 2);
  second.get(2);
  first.look_free(3);
  second.look_free(3.5);
  EXPECT_FALSE(second.unit.in_hand());
  for (const double t : {4.0, 5.0, 5.1}) {
    second.look_free(t);
    first.look_free(t);
  }
  EXPECT_TRUE(first.unit.in_hand());
  for (int t = 6; t < 200; t += 10) {
    second.look_free(t);
    first.look_free(t);
  }
  EXPECT_TRUE(first.unit.in_hand()) << "and who came first does not";
}

TEST_F(PoolUnitCollecting, ACompleteSetIsNotBrokenUp) {
  Collector first("digits", 1), second("letters", 2);
  second.get(2);
  second.demand.complete = true;
  first.look_free(3);
  second.look_free(3.5);
  EXPECT_TRUE(second.unit.in_hand());
}

TEST_F(PoolUnitCollecting, WhoDoesNotTakeWhatHeCollectsIsWaitedForForATimeOnly) {
  Collector wide("digits", 1);
  wide.look_used(0, 9 * kGB);                // And then nothing: it is suspended.
  for (const double t : {1.0, 2.0, 5.0, 9.0}) a_.look_free(t);
  EXPECT_FALSE(a_.unit.in_hand());
  a_.look_free(11.5);
  a_.look_free(11.6);
  EXPECT_TRUE(a_.unit.in_hand());
}

TEST_F(PoolUnitCollecting, WhoDiesLeavesNothingBehind) {
  {
    Collector wide("digits", 1);
    wide.look_free(0);
  }
  a_.get(3);
  EXPECT_TRUE(a_.unit.in_hand());
}

TEST_F(PoolUnitCollecting, NothingIsCollectedThatCannotBeCompleted) {
  Collector wide("digits", 1);
  wide.demand.promising = false;
  for (int t = 0; t < 5; ++t) wide.look_free(t);
  EXPECT_FALSE(unit_locked());
  EXPECT_EQ(wide.busy(), "free, and too few others are");
  a_.get(10);
  EXPECT_TRUE(a_.unit.in_hand());
}

TEST_F(PoolUnitCollecting, ItHasItsTurnAndTheOthersHaveTheirs) {
  Collector wide("digits", 1);
  a_.look_free(0);
  wide.get(2);
  wide.start("w1");
  a_.look_used(3, 9 * kGB, {4'100'000});
  wide.end("w1", 4);
  wide.demand.ticket = 9;
  wide.look_free(5);
  for (double t = 5.1; t < 7.5; t += 0.5) {
    wide.look_free(t);
    a_.look_free(t + 0.1);
  }
  EXPECT_TRUE(a_.unit.in_hand()) << "who waited while it had the unit";
}

TEST_F(PoolUnitCollecting, AUnitHoldsPromiseWhileHpsearchRunsThere) {
  a_.get(2);
  a_.start("a1");
  Collector wide("digits", 1);
  EXPECT_FALSE(wide.unit.promising()) << "it is not known yet";
  wide.look_used(3, 9 * kGB, {4'100'000});
  EXPECT_TRUE(wide.unit.promising());
  wide.look_used(4, 9 * kGB, {4'100'000, stranger()});
  EXPECT_FALSE(wide.unit.promising()) << "a stranger stays when the trial ends";
  a_.end("a1", 5);
  a_.look_free(6);
  wide.look_used(6.5, 9 * kGB);
  EXPECT_FALSE(wide.unit.promising());
  wide.look_free(7);
  EXPECT_TRUE(wide.unit.promising());
}

}  // namespace
}  // namespace hpsearch::testing
