#include "pool_unit_lab.h"

namespace hpsearch::testing {
namespace {

using PoolUnitAlone = PoolUnitTest;

TEST_F(PoolUnitAlone, ATrialThatIsToBeAloneGetsAllOfAUnitThatOthersOfItsStudyShare) {
  PoolView a(0.3);
  a.get(2);
  for (int i = 0; i < 4; ++i) a.look_free(2.1 + i);
  EXPECT_EQ(unit_holders("GPU-a").size(), 3u);
  a.unit.want(true, true);
  EXPECT_FALSE(a.unit.ready(0, true));
  a.look_free(10);
  a.look_free(10.1);
  ASSERT_TRUE(a.unit.ready(a.number, true));
  EXPECT_FALSE(lock_unit("GPU-a", 0.1)) << "not even what their shares leave is anybody's";
  a.keepers.push_back(a.unit.grant(true));
  a.unit.run("a1");
  a.unit.want(false);
  for (int i = 0; i < 4; ++i) a.look_used(11 + i, 70 * kGB, {4'100'000});
  EXPECT_FALSE(a.unit.in_hand()) << "none of its own joins it";
  ASSERT_EQ(unit_holders("GPU-a").size(), 1u);
  EXPECT_EQ(unit_holders("GPU-a")[0].parts, kUnitParts);
  EXPECT_EQ(unit_holders("GPU-a")[0].name.attempt, "a1");
}

TEST_F(PoolUnitAlone, AfterItTheUnitIsSharedAgain) {
  PoolView a(0.5);
  a.get(2);
  a.unit.want(true, true);
  a.look_free(3);
  a.look_free(3.1);
  a.keepers.push_back(a.unit.grant(true));
  a.unit.run("a1");
  a.unit.want(false);
  a.end("a1", 5);
  a.look_free(6);
  EXPECT_TRUE(a.unit.ready(a.number));
  EXPECT_EQ(unit_holders("GPU-a").at(0).parts, kUnitParts / 2);
}

TEST_F(PoolUnitAlone, WhatIsNotRunAloneIsSharedAgain) {
  PoolView a(0.5);
  a.get(2);
  a.unit.want(true, true);
  a.look_free(3);
  a.look_free(3.1);
  { const FileDescriptor lock = a.unit.grant(true); }
  a.unit.take_back(Span(4'000));
  a.unit.want(false);
  a.look_free(5);
  EXPECT_EQ(unit_holders("GPU-a").at(0).parts, kUnitParts / 2);
}

TEST_F(PoolUnitAlone, ItWaitsForWhoHasAPartAndGetsItNext) {
  PoolView a(0.4), b(0.6, "digits");
  b.get(2);
  b.start("b1");
  for (int i = 0; i < 4; ++i) a.look_used(2.5 + 0.5 * i, 9 * kGB, {4'100'000});
  EXPECT_TRUE(a.unit.in_hand());
  a.unit.want(true, true);
  for (int i = 0; i < 3; ++i) a.look_used(4.5 + i, 9 * kGB, {4'100'000});
  EXPECT_FALSE(a.unit.ready(0, true));
  EXPECT_EQ(a.unit.hindrance(), "used by hpsearch study digits of alice");
  b.end("b1", 8);
  EXPECT_EQ(b.busy(), "left to another study that waits for it");
  b.look_free(9);
  for (int i = 0; i < 3; ++i) a.look_free(10 + i);
  EXPECT_TRUE(a.unit.ready(a.number, true));
}

TEST_F(PoolUnitAlone, WhatOthersHaveOfItIsTold) {
  PoolView a(0.25), b(0.6, "digits");
  b.get(2);
  a.look_free(3);
  EXPECT_EQ(a.unit.unit().free, 0.4);
  EXPECT_EQ(b.unit.unit().free, 1) << "its own is not taken from it";
  a.look_free(4);
  a.look_free(4.1);
  EXPECT_EQ(a.busy(), "") << "there is room beside it";
  EXPECT_EQ(a.unit.unit().free, 0.4);
}

}  // namespace
}  // namespace hpsearch::testing
