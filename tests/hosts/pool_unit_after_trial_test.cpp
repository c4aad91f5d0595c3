#include "pool_unit_lab.h"

namespace hpsearch::testing {
namespace {

using PoolUnitAfterTrial = PoolUnitTest;

TEST_F(PoolUnitAfterTrial, StaysInHandWhileTheMemoryOfATrialFalls) {
  a_.get(2);
  a_.start("a1");
  a_.look_used(3, 8 * kGB);
  a_.end("a1", 4);
  EXPECT_EQ(a_.busy(), "") << "the next trial may be planned already";
  a_.look_used(5, 8 * kGB);
  EXPECT_FALSE(a_.unit.ready(0));
  EXPECT_EQ(a_.unit.hindrance(), "8.0 GB still in use after its last trial");
  EXPECT_TRUE(unit_locked());
  a_.look_free(6);
  EXPECT_TRUE(a_.unit.ready(a_.number));
}

TEST_F(PoolUnitAfterTrial, MemoryThatDoesNotFallIsPutInQuarantine) {
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

TEST_F(PoolUnitAfterTrial, AProgramThatTookOverAfterATrialIsNoGhost) {
  a_.get(2);
  a_.start("a1");
  a_.end("a1", 10);
  a_.look_used(11, 8 * kGB, {stranger()});
  EXPECT_EQ(a_.busy().rfind("8.0 GB in use by " + stranger_text(), 0), 0u) << a_.busy();
  EXPECT_FALSE(unit_locked());
}

TEST_F(PoolUnitAfterTrial, AnAdoptedTrialIsNoStrangerAndItsUnitComesBack) {
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
  EXPECT_TRUE(unit_locked());
  a_.look_free(7);
  EXPECT_TRUE(a_.unit.ready(a_.number));
}

TEST_F(PoolUnitAfterTrial, AnAdoptedTrialsUnitMayGoToOthers) {
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
