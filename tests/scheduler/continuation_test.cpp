#include "scheduler/continuation.h"

#include <gtest/gtest.h>

#include "tests/scheduler/simulation.h"

namespace hpsearch::testing {
namespace {

// One trial with a checkpoint made on host "far".
class ContinuationTest : public ::testing::Test {
 protected:
  ContinuationTest() {
    Simulation simulation(space_with(R"("limits": {"trials": 1}, "resource": {"name": "epoch", "max": 9}, "trial": {"checkpoint": true, "gpus": 0},
                                       "hosts": [{"ssh": "far"}, {"ssh": "near"}])"));
    add(Fact(simulation.created));
    add(Fact(SessionStarted{"here", 1, {}, ""}));
    see("far", HostState::up);
    see("near", HostState::up);
    add(Decision(TrialSuggested{1, {Json{{"x", 0.5}}, {0.5}, "random", "", {}}, 0, 3.0}));
    add(Decision(AttemptPlanned{1, 1, "id", {"far", 0, {}, 1}, 3.0, 0, ""}));
    add(Fact(AttemptStarted{1, 1, 10}));
    report(1, "e1");
  }

  void add(std::variant<Fact, Decision> body) { study_.apply({study_.last_seq() + 1, Time{}, std::move(body)}); }
  void see(const char* host, HostState state) { add(Fact(HostSeen{host, state, "", 2, 0, {}})); }
  void report(double step, const char* checkpoint) {
    add(Fact(Reported{1, 1, ++lines_, step, MetricValue(1.0), "", checkpoint, Time{}}));
  }
  void lose() { add(Fact(AttemptEnded{1, 1, {EndKind::lost, 0, false, "", ""}, Time{}})); }
  std::optional<Continuation> from() const { return continuation(study_, study_.trial(1)); }

  Study study_;
  std::uint64_t lines_ = 0;
};

TEST_F(ContinuationTest, AHostThatIsUpHasItsOwn) {
  ASSERT_TRUE(from());
  EXPECT_EQ(from()->attempt, 1);
  EXPECT_EQ(from()->checkpoint, "e1");
  EXPECT_EQ(from()->host, "far");
}

TEST_F(ContinuationTest, AHostThatMayComeBackIsWaitedFor) {
  see("far", HostState::unreachable);
  EXPECT_FALSE(from());
  add(Fact(CheckpointSaved{1, 1, "e1", 1}));
  ASSERT_TRUE(from());
  EXPECT_EQ(from()->checkpoint, "e1");
}

TEST_F(ContinuationTest, GivenUpThereItGoesOnFromWhatCameHome) {
  add(Fact(CheckpointSaved{1, 1, "e1", 1}));
  report(2, "e2");
  see("far", HostState::unreachable);
  EXPECT_FALSE(from());
  lose();
  ASSERT_TRUE(from());
  EXPECT_EQ(from()->checkpoint, "e1");
}

TEST_F(ContinuationTest, NothingSavedMeansAnew) {
  see("far", HostState::unreachable);
  lose();
  ASSERT_TRUE(from());
  EXPECT_EQ(from()->attempt, 0);
  see("far", HostState::refused);
  EXPECT_EQ(from()->attempt, 0);
}

}  // namespace
}  // namespace hpsearch::testing
