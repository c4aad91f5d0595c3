#include "scheduler/runner.h"

#include <gtest/gtest.h>

#include "scheduler/replay.h"
#include "tests/scheduler/simulation.h"

namespace hpsearch::testing {
namespace {

// Another session of the study, with a changed space file and one slot.
int go_on(Simulation& simulation, const std::string& space, const SimulatedWorld& world) {
  const StudySpec more = parse_spec(space, "test.json");
  SimulatedExecutor executor(world);
  Runner runner(simulation.study, simulation.policy.view(), simulation.store, executor, executor);
  runner.note(SpecChanged{more.document, more.folder, {}});
  return runner.run({"host", 1, {here(1)}, ""});
}

std::string body(const Event& event) { return event_kind(event.body) + event_body(event.body).dump(); }

TEST(Runner, RunsExactlyTheTrialsOfTheBudget) {
  ScriptedWorld world;
  Simulation simulation(space_with(R"("limits": {"trials": 25})"));
  EXPECT_EQ(simulation.run(world, 4), 0);
  EXPECT_EQ(simulation.study.trials().size(), 25u);
  EXPECT_EQ(simulation.study.count(TrialState::completed), 25);
  EXPECT_EQ(simulation.study.best(), 1);
}

TEST(Runner, FoldOfTheSavedLogIsTheStudy) {
  ScriptedWorld world;
  Simulation simulation(space_with(R"("limits": {"trials": 25})"));
  simulation.run(world, 4);
  Study again;
  open_log(simulation.store, again);
  EXPECT_EQ(again.last_seq(), simulation.study.last_seq());
  EXPECT_EQ(again.best(), simulation.study.best());
  EXPECT_EQ(again.count(TrialState::completed), 25);
}

TEST(Runner, EventsSurviveTheirJsonForm) {
  ScriptedWorld world;
  world.curve = [](int trial, double) { return trial == 3 ? std::nan("") : trial; };
  Simulation simulation(space_with(R"("resource": {"name": "epoch", "max": 9}, "limits": {"trials": 9})"));
  simulation.run(world, 2);
  simulation.store.read([](const Event& event) {
    const auto again = parse_event(event_kind(event.body), event_body(event.body));
    EXPECT_EQ(event_body(again).dump(), event_body(event.body).dump()) << body(event);
  });
}

TEST(Runner, DivergedTrialFailsAndIsNotRetried) {
  ScriptedWorld world;
  world.curve = [](int trial, double) { return trial == 2 ? std::nan("") : trial; };
  Simulation simulation(space_with(R"("limits": {"trials": 3})"));
  EXPECT_EQ(simulation.run(world, 1), 0);
  EXPECT_EQ(simulation.study.trial(2).state, TrialState::failed);
  EXPECT_EQ(simulation.study.trial(2).failure, FailureReason::diverged);
  EXPECT_EQ(simulation.study.trial(2).attempts.size(), 1u);
}

TEST(Runner, LostAttemptIsRetriedThenGivenUp) {
  ScriptedWorld world;
  world.death = [](int trial, int attempt) {
    return trial == 1 || (trial == 2 && attempt == 1) ? std::optional(1.0) : std::nullopt;
  };
  Simulation simulation(space_with(R"("limits": {"trials": 3}, "trial": {"retries": 2})"));
  EXPECT_EQ(simulation.run(world, 1), 0);
  EXPECT_EQ(simulation.study.trial(1).state, TrialState::failed);
  EXPECT_EQ(simulation.study.trial(1).attempts.size(), 3u);
  EXPECT_EQ(simulation.study.trial(2).state, TrialState::completed);
  EXPECT_EQ(simulation.study.trial(2).attempts.size(), 2u);
  EXPECT_EQ(simulation.study.trials().size(), 3u);
}

TEST(Runner, FiveFailuresBeforeTheFirstSuccessStopTheStudy) {
  ScriptedWorld world;
  world.death = [](int, int) { return std::optional(1.0); };
  Simulation simulation(space_with(R"("limits": {"trials": 100}, "trial": {"retries": 0})"));
  EXPECT_EQ(simulation.run(world, 1), 3);
  EXPECT_EQ(simulation.study.trials().size(), 5u);
}

TEST(Runner, TimeLimitEndsTheStudyAtItsInstant) {
  ScriptedWorld world;
  Simulation simulation(space_with(R"("limits": {"time": "10500ms"})"));
  SimulatedExecutor executor(world);
  EXPECT_EQ(simulation.run(executor, executor, 2), 0);
  EXPECT_EQ(executor.now(), Time(Span(10500)));
  EXPECT_EQ(simulation.study.count(TrialState::completed), 20);
  EXPECT_TRUE(simulation.study.live().empty());
}

TEST(Runner, TrialsPausedAtTheTimeLimitCountAsAResult) {
  struct ReportsEachEpoch : ScriptedWorld {
    double next_report(const Trial&, double step, double) const override { return step + 1; }
  } world;
  Simulation simulation(space_with(R"("limits": {"time": "4500ms"}, "trial": {"checkpoint": true},
                                     "resource": {"name": "epoch", "max": 100}, "search": {"pruner": "none"})"));
  EXPECT_EQ(simulation.run(world, 2), 0);
  EXPECT_EQ(simulation.study.ended()->exit_status, 0);
  EXPECT_TRUE(simulation.study.best());
}

TEST(Runner, LimitsAddedLaterReachTheSampler) {
  const auto text = [](const std::string& limits) {
    return R"({"command": ["true", "{x}"], "metric": {"name": "loss", "goal": "minimize"}, "params": {"x": [1, 2, 3]})" + limits + "}";
  };
  ScriptedWorld world;
  Simulation simulation(text(""));
  simulation.run(world, 2);
  EXPECT_EQ(simulation.study.trials().size(), 3u);
  EXPECT_EQ(go_on(simulation, text(R"(, "limits": {"trials": 7})"), world), 0);
  EXPECT_EQ(simulation.study.trials().size(), 7u);
  EXPECT_TRUE(verify_replay(simulation.store).mismatches.empty());
}

TEST(Runner, FinishedStudyWithALargerBudgetGoesOnAsIfNeverStopped) {
  ScriptedWorld world;
  Simulation whole(space_with(R"("limits": {"trials": 15})"));
  whole.run(world, 1);
  Simulation parts(space_with(R"("limits": {"trials": 10})"));
  parts.run(world, 1);
  EXPECT_EQ(go_on(parts, space_with(R"("limits": {"trials": 15})"), world), 0);
  ASSERT_EQ(parts.study.trials().size(), 15u);
  for (int i = 1; i <= 15; ++i)
    EXPECT_EQ(parts.study.trial(i).suggestion.params, whole.study.trial(i).suggestion.params);
}

TEST(Runner, BestPausedTrialGoesOnWhenNothingHasCompleted) {
  ScriptedWorld world;
  Simulation simulation(space_with(R"("resource": {"name": "epoch", "max": 9}, "trial": {"checkpoint": true},
                                      "limits": {"trials": 2})"));
  EXPECT_EQ(simulation.run(world, 2), 0);
  EXPECT_EQ(simulation.study.trial(1).state, TrialState::completed);
  EXPECT_EQ(simulation.study.trial(1).resource, 9);
  EXPECT_EQ(simulation.study.trial(2).state, TrialState::paused);
}

}  // namespace
}  // namespace hpsearch::testing
