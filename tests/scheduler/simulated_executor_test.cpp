#include "tests/scheduler/simulation.h"

#include <gtest/gtest.h>

#include <map>

#include "scheduler/replay.h"

namespace hpsearch::testing {
namespace {

// early_stopping reference, 3.2: eta 2, rungs 1 and 2, R = 4, two workers, unit cost per resource.
const char* const kTwoWorkers = R"("resource": {"name": "epoch", "min": 1, "max": 4},
  "search": {"pruner": {"type": "asha", "eta": 2, "variant": "promote"}},
  "trial": {"checkpoint": true, "retries": 0}, "limits": {"trials": 6})";

double loss(int trial) {
  static const double losses[] = {.5, .3, .4, .2, .6, .1};
  return losses[trial - 1];
}

// "2@1" means trial 2 started towards level 1.
std::string starts(const MemoryStore& store) {
  std::string text;
  store.read([&](const Event& event) {
    const auto* decision = std::get_if<Decision>(&event.body);
    if (!decision) return;
    if (const auto* plan = std::get_if<AttemptPlanned>(decision))
      text += "T" + std::to_string(plan->trial - 1) + "@" + std::to_string(static_cast<int>(*plan->milestone)) + " ";
  });
  return text;
}

TEST(SimulatedAsha, PromotesAsTheWorkedTwoWorkerExample) {
  ScriptedWorld world;
  world.curve = [](int trial, double) { return loss(trial); };
  Simulation simulation(space_with(kTwoWorkers));
  SimulatedExecutor executor(world);
  EXPECT_EQ(simulation.run(executor, executor, 2), 0);
  EXPECT_EQ(starts(simulation.store), "T0@1 T1@1 T2@1 T1@2 T3@1 T4@1 T3@2 T5@1 T3@4 T5@2 T5@4 ");
  EXPECT_EQ(executor.now(), Time(Span(7000)));
  EXPECT_EQ(simulation.study.count(TrialState::completed), 2);
  EXPECT_EQ(simulation.study.best(), 6);
}

TEST(SimulatedAsha, TrialLostOnItsWayStaysPromoted) {
  ScriptedWorld world;
  world.curve = [](int trial, double) { return loss(trial); };
  world.death = [](int trial, int attempt) { return trial == 2 && attempt == 2 ? std::optional(2.0) : std::nullopt; };
  Simulation simulation(space_with(kTwoWorkers));
  SimulatedExecutor executor(world);
  EXPECT_EQ(simulation.run(executor, executor, 2), 0);
  EXPECT_EQ(simulation.study.count(TrialState::completed), 1);
  EXPECT_EQ(simulation.study.trial(6).state, TrialState::completed);
  EXPECT_EQ(simulation.study.trial(4).state, TrialState::paused);
  EXPECT_EQ(simulation.study.trial(2).failure, FailureReason::lost);
  EXPECT_EQ(executor.now(), Time(Span(7000)));
}

TEST(SimulatedAsha, NobodyWaitsForAStraggler) {
  ScriptedWorld world;
  world.curve = [](int trial, double) { return loss(trial); };
  world.pace = [](int trial) { return trial == 1 ? 5.0 : 1.0; };
  Simulation simulation(space_with(kTwoWorkers));
  SimulatedExecutor executor(world);
  EXPECT_EQ(simulation.run(executor, executor, 2), 0);
  EXPECT_EQ(executor.now(), Time(Span(10000)));
}

TEST(SimulatedAsha, RunsTheSameTwice) {
  std::vector<std::string> logs;
  for (int repeat = 0; repeat < 2; ++repeat) {
    ScriptedWorld world;
    world.curve = [](int trial, double step) { return (trial * 7 % 11) / step; };
    Simulation simulation(space_with(kTwoWorkers));
    simulation.run(world, 3);
    logs.push_back(starts(simulation.store));
  }
  EXPECT_EQ(logs[0], logs[1]);
}

TEST(SimulatedAsha, ReplayOfTheLogIsClean) {
  ScriptedWorld world;
  world.curve = [](int trial, double) { return loss(trial); };
  Simulation simulation(space_with(kTwoWorkers));
  simulation.run(world, 2);
  const ReplayResult result = verify_replay(simulation.store);
  EXPECT_GT(result.decisions, 30);
  EXPECT_TRUE(result.mismatches.empty()) << result.mismatches.front();
}

TEST(SimulatedAsha, StopsInPlaceWithoutCheckpoints) {
  ScriptedWorld world;
  Simulation simulation(space_with(R"("resource": {"name": "epoch", "max": 9}, "limits": {"trials": 9})"));
  EXPECT_EQ(simulation.run(world, 1), 0);
  // Losses rise: the first two meet a rung of fewer than eta, every later one is worse than those kept.
  EXPECT_EQ(simulation.study.count(TrialState::completed), 2);
  EXPECT_EQ(simulation.study.count(TrialState::stopped), 7);
}

}  // namespace
}  // namespace hpsearch::testing
