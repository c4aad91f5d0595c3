#include "scheduler/decide.h"

#include <gtest/gtest.h>

#include "tests/scheduler/simulation.h"
#include "tests/support/here.h"

namespace hpsearch::testing {
namespace {

// A study in the middle of a session, to which single facts are added and decisions asked.
class DecideTest : public ::testing::Test {
 protected:
  void begin(const std::string& members, int slots = 2) {
    simulation_ = std::make_unique<Simulation>(space_with(members));
    add(Fact(simulation_->created));
    SessionStarted session;
    session.hosts = {here(slots)};
    add(Fact(session));
    settle_down();
  }

  void add(std::variant<Fact, Decision> body) {
    const Event event{study().last_seq() + 1, now_, std::move(body)};
    simulation_->study.apply(event);
    simulation_->policy.apply(study(), event);
  }

  std::optional<Decision> ask() { return next_decision(study(), simulation_->policy.view(), now_); }

  std::vector<Decision> settle_down() {
    std::vector<Decision> decisions;
    while (auto decision = ask()) {
      decisions.push_back(*decision);
      add(*decision);
    }
    return decisions;
  }

  const Study& study() const { return simulation_->study; }

  std::unique_ptr<Simulation> simulation_;
  Time now_{};
};

template <typename D>
int count(const std::vector<Decision>& decisions) {
  int n = 0;
  for (const Decision& decision : decisions) n += std::holds_alternative<D>(decision);
  return n;
}

TEST_F(DecideTest, FillsEverySlotAndNoMore) {
  begin(R"("limits": {"trials": 10})", 3);
  EXPECT_EQ(study().live().size(), 3u);
  EXPECT_EQ(study().trials().size(), 3u);
  EXPECT_FALSE(study().fleet().place("", ""));
}

TEST_F(DecideTest, UserPointsComeBeforeTheSampler) {
  begin(R"("limits": {"trials": 10}, "enqueue": [{"x": 0.25}])", 2);
  EXPECT_EQ(study().trial(1).suggestion.params["x"], 0.25);
  EXPECT_EQ(study().trial(1).suggestion.method, "enqueued");
  EXPECT_EQ(study().trial(2).suggestion.method, "random");
}

TEST_F(DecideTest, FirstInterruptStartsNothingMoreAndLetsTrialsRun) {
  begin(R"("limits": {"trials": 10})", 2);
  add(Fact(Interrupted{1}));
  EXPECT_TRUE(settle_down().empty());
  add(Fact(Reported{1, 1, 1, std::nullopt, MetricValue(1.0), "", "", now_}));
  add(Fact(AttemptEnded{1, 1, {}, now_}));
  const auto decisions = settle_down();
  EXPECT_EQ(decisions.size(), 1u);
  EXPECT_EQ(study().trial(1).state, TrialState::completed);
}

TEST_F(DecideTest, FirstInterruptPausesTrialsWithCheckpoints) {
  begin(R"("limits": {"trials": 10}, "trial": {"checkpoint": true}, "resource": {"name": "epoch", "max": 9})", 2);
  add(Fact(Interrupted{1}));
  const auto decisions = settle_down();
  ASSERT_EQ(count<EndOrdered>(decisions), 2);
  EXPECT_EQ(std::get<EndOrdered>(decisions[0]).order, OrderKind::pause_at_report);
}

TEST_F(DecideTest, SecondInterruptTerminatesAndThirdKills) {
  begin(R"("limits": {"trials": 10})", 1);
  add(Fact(Interrupted{2}));
  EXPECT_EQ(std::get<EndOrdered>(settle_down().at(0)).order, OrderKind::terminate);
  add(Fact(Interrupted{3}));
  EXPECT_EQ(std::get<EndOrdered>(settle_down().at(0)).order, OrderKind::kill);
}

TEST_F(DecideTest, StopOfOneTrialCancelsItAndFreesItsSlot) {
  begin(R"("limits": {"trials": 10})", 1);
  add(Fact(StopRequested{1, true}));
  EXPECT_TRUE(std::get<EndOrdered>(settle_down().at(0)).cancel);
  add(Fact(AttemptEnded{1, 1, {EndKind::signalled, 15, true, "", ""}, now_}));
  settle_down();
  EXPECT_EQ(study().trial(1).state, TrialState::cancelled);
  EXPECT_EQ(study().trials().size(), 2u);
}

TEST_F(DecideTest, RetryGoesBeforeANewTrial) {
  begin(R"("limits": {"trials": 10})", 1);
  add(Fact(AttemptStarted{1, 1, 7}));
  add(Fact(AttemptEnded{1, 1, {EndKind::lost, 0, false, "keeper gone", ""}, now_}));
  const auto decisions = settle_down();
  EXPECT_EQ(count<TrialSuggested>(decisions), 0);
  EXPECT_EQ(study().trial(1).attempts.size(), 2u);
}

TEST_F(DecideTest, RetryContinuesFromTheLastNamedCheckpoint) {
  begin(R"("limits": {"trials": 10}, "trial": {"checkpoint": true}, "resource": {"name": "epoch", "max": 9})", 1);
  add(Fact(AttemptStarted{1, 1, 7}));
  add(Fact(Reported{1, 1, 1, 0.5, MetricValue(1.0), "", "e0", now_}));
  add(Fact(AttemptEnded{1, 1, {EndKind::lost, 0, false, "", ""}, now_}));
  settle_down();
  ASSERT_EQ(study().trial(1).attempts.size(), 2u);
  EXPECT_EQ(study().trial(1).attempts[1].resume_attempt, 1);
  EXPECT_EQ(study().trial(1).attempts[1].resume_checkpoint, "e0");
  // The second attempt dies before it reports: the third still has the first one's checkpoint.
  add(Fact(AttemptStarted{1, 2, 8}));
  add(Fact(AttemptEnded{1, 2, {EndKind::lost, 0, false, "", ""}, now_}));
  settle_down();
  EXPECT_EQ(study().trial(1).attempts.at(2).resume_attempt, 1);
}

TEST_F(DecideTest, RetryContinuesFromAnOlderCheckpointWhenTheLastAttemptNamedNone) {
  begin(R"("limits": {"trials": 10}, "trial": {"checkpoint": true}, "resource": {"name": "epoch", "max": 99}, "search": {"pruner": "none"})", 1);
  add(Fact(AttemptStarted{1, 1, 7}));
  add(Fact(Reported{1, 1, 1, 5, MetricValue(1.0), "", "e5", now_}));
  add(Fact(AttemptEnded{1, 1, {EndKind::lost, 0, false, "", ""}, now_}));
  settle_down();
  add(Fact(AttemptStarted{1, 2, 8}));
  add(Fact(Reported{1, 2, 1, 6, MetricValue(1.0), "", "", now_}));
  add(Fact(AttemptEnded{1, 2, {EndKind::lost, 0, false, "", ""}, now_}));
  settle_down();
  EXPECT_EQ(study().trial(1).attempts.at(2).resume_attempt, 1);
  EXPECT_EQ(study().trial(1).attempts.at(2).resume_checkpoint, "e5");
}

TEST_F(DecideTest, LaterInterruptsReachATrialThatHasAVerdict) {
  begin(R"("limits": {"trials": 10}, "trial": {"checkpoint": true}, "resource": {"name": "epoch", "max": 9})", 1);
  add(Fact(Reported{1, 1, 1, 1, MetricValue(1.0), "", "", now_}));
  settle_down();
  ASSERT_TRUE(study().trial(1).current()->verdict);
  add(Fact(Interrupted{1}));
  EXPECT_TRUE(settle_down().empty());
  add(Fact(Interrupted{3}));
  EXPECT_EQ(std::get<EndOrdered>(settle_down().at(0)).order, OrderKind::kill);
}

TEST_F(DecideTest, ACancelAfterAKillIsOneMoreOrderAndNoLoop) {
  begin(R"("limits": {"trials": 10})", 1);
  add(Fact(Interrupted{3}));
  settle_down();
  add(Fact(StopRequested{1, true}));
  EXPECT_EQ(count<EndOrdered>(settle_down()), 1);
  EXPECT_EQ(study().trial(1).current()->order->order, OrderKind::kill);
  EXPECT_TRUE(study().trial(1).current()->order->cancel);
}

TEST_F(DecideTest, AnAttemptThatTakesATrialNoFurtherLeavesItStopped) {
  begin(R"("limits": {"trials": 1}, "trial": {"checkpoint": true}, "resource": {"name": "epoch", "max": 9})", 1);
  add(Fact(Reported{1, 1, 1, 1, MetricValue(1.0), "", "", now_}));
  settle_down();
  add(Fact(AttemptEnded{1, 1, {EndKind::exited, 0, true, "", ""}, now_}));
  settle_down();
  ASSERT_EQ(study().trial(1).attempts.size(), 2u) << "the only paused trial goes on to the end";
  add(Fact(AttemptEnded{1, 2, {}, now_}));
  settle_down();
  EXPECT_EQ(study().trial(1).state, TrialState::stopped);
  EXPECT_EQ(study().trial(1).resource, 1);
}

TEST_F(DecideTest, WhatIsSentAfterAVerdictDoesNotFailTheTrial) {
  begin(R"("limits": {"trials": 10}, "trial": {"checkpoint": true}, "resource": {"name": "epoch", "max": 9})", 1);
  add(Fact(Reported{1, 1, 1, 1, MetricValue(1.0), "", "", now_}));
  settle_down();
  add(Fact(ReportRejected{1, 1, 2, "step=2 lo"}));
  add(Fact(AttemptEnded{1, 1, {EndKind::signalled, 15, true, "", ""}, now_}));
  settle_down();
  EXPECT_EQ(study().trial(1).state, TrialState::paused);
}

TEST_F(DecideTest, NewsOfAnOlderAttemptIsDropped) {
  begin(R"("limits": {"trials": 10})", 1);
  add(Fact(AttemptStarted{1, 1, 7}));
  add(Fact(AttemptEnded{1, 1, {EndKind::lost, 0, false, "", ""}, now_}));
  settle_down();
  add(Fact(Reported{1, 1, 1, std::nullopt, MetricValue(3.0), "", "", now_}));
  add(Fact(AttemptEnded{1, 1, {}, now_}));
  EXPECT_TRUE(settle_down().empty());
  EXPECT_FALSE(study().trial(1).value);
}

TEST_F(DecideTest, ReportsUpToTheLevelAlreadyReachedAreHistory) {
  begin(R"("limits": {"trials": 10}, "resource": {"name": "epoch", "max": 9})", 1);
  add(Fact(Reported{1, 1, 1, 2.0, MetricValue(5.0), "", "", now_}));
  settle_down();
  add(Fact(AttemptEnded{1, 1, {EndKind::lost, 0, false, "", ""}, now_}));
  add(Fact(AttemptStarted{1, 1, 7}));
  settle_down();
  add(Fact(Reported{1, 2, 1, 1.0, MetricValue(0.1), "", "", now_}));
  add(Fact(Reported{1, 2, 2, 2.0, MetricValue(0.1), "", "", now_}));
  EXPECT_EQ(study().trial(1).value->number, 5.0);
  add(Fact(Reported{1, 2, 3, 3.0, MetricValue(0.2), "", "", now_}));
  EXPECT_EQ(study().trial(1).value->number, 0.2);
}

TEST_F(DecideTest, ValueRulesLastBestAndSmooth) {
  for (const auto& [members, expected] : std::map<std::string, double>{
           {R"("trial": {"value": "last"})", 6.0}, {R"("trial": {"value": "best"})", 1.0}}) {
    begin(members + R"(, "limits": {"trials": 1})", 1);
    for (int i = 1; i <= 3; ++i)
      add(Fact(Reported{1, 1, static_cast<std::uint64_t>(i), double(i), MetricValue(i == 2 ? 1.0 : i * 2.0), "", "", now_}));
    EXPECT_EQ(study().trial(1).value->number, expected) << members;
    EXPECT_EQ(study().trial(1).best->number, 1.0);
    EXPECT_EQ(study().trial(1).last->number, 6.0);
  }
}

// Halves of two units, of which the trials on the first run out of memory.
TEST_F(DecideTest, ATrialThatIsOutOfMemoryGoesOnAloneAndTheOthersGoOnBesideIt) {
  begin(R"("limits": {"trials": 9}, "trial": {"gpus": 0.5, "retries": 0})", 9);
  const auto end = [&](int trial, const std::string& out_of_memory) {
    add(Fact(AttemptEnded{trial, study().trial(trial).current()->number, {EndKind::exited, out_of_memory.empty() ? 0 : 1, false, "", "", out_of_memory}, now_}));
    return settle_down();
  };
  const auto unit = [&](int trial) { return study().trial(trial).current()->slot.devices.at(0); };
  HostSeen units = here(9);
  for (const char* id : {"GPU-a", "GPU-b"}) units.units.push_back({id, "", 80, 0, 0, ""});
  add(Fact(units));
  settle_down();
  ASSERT_EQ(study().live().size(), 4u);
  for (int trial = 1; trial <= 4; ++trial) add(Fact(AttemptStarted{trial, 1, trial}));
  end(1, "CUDA out of memory");
  EXPECT_EQ(study().trial(1).state, TrialState::queued) << "trial 2 still is on the unit";
  EXPECT_EQ(study().live().size(), 3u) << "and nobody joins it";
  add(Fact(Reported{4, 1, 1, std::nullopt, MetricValue(1.0), "", "", now_}));
  end(4, "");
  EXPECT_EQ(study().live().size(), 3u) << "the other unit is shared as before";
  EXPECT_EQ(unit(5), "GPU-b");
  EXPECT_EQ(unit(2), "GPU-a");
  add(Fact(Reported{2, 1, 1, std::nullopt, MetricValue(1.0), "", "", now_}));
  end(2, "");
  EXPECT_EQ(study().trial(1).attempts.size(), 2u);
  EXPECT_EQ(study().trial(1).current()->slot.share, 1);
  EXPECT_EQ(study().trial(1).current()->gpus, 1) << "of which it pays for all";
  EXPECT_EQ(study().live().size(), 3u);
  add(Fact(AttemptStarted{1, 2, 7}));
  end(1, "CUDA out of memory");
  EXPECT_EQ(study().trial(1).state, TrialState::failed);
  EXPECT_EQ(study().trial(1).failure, FailureReason::out_of_memory);
  EXPECT_EQ(study().live().size(), 4u) << "its unit is shared again";
}

TEST_F(DecideTest, NothingIsDecidedAfterTheEnd) {
  begin(R"("limits": {"trials": 1})", 1);
  add(Fact(Reported{1, 1, 1, std::nullopt, MetricValue(1.0), "", "", now_}));
  add(Fact(AttemptEnded{1, 1, {}, now_}));
  const auto decisions = settle_down();
  EXPECT_EQ(count<StudyEnded>(decisions), 1);
  EXPECT_EQ(study().ended()->exit_status, 0);
  EXPECT_FALSE(ask());
}

}  // namespace
}  // namespace hpsearch::testing
