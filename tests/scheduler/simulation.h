#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/support/here.h"
#include "scheduler/policy.h"
#include "scheduler/runner.h"
#include "scheduler/simulated_executor.h"
#include "store/store.h"
#include "trials/spec.h"

namespace hpsearch::testing {

// A world of closures: value(trial number, step), one second a unit of resource unless `pace` says otherwise.
struct ScriptedWorld : SimulatedWorld {
  std::function<double(int, double)> curve = [](int trial, double) { return trial; };
  std::function<double(int)> pace = [](int) { return 1.0; };
  std::function<std::optional<double>(int, int)> death = [](int, int) { return std::nullopt; };  // (trial, attempt)

  double value(const Trial& trial, double step) const override { return curve(trial.number, step); }
  Span duration(const Trial& trial, double from, double to) const override {
    return Span(static_cast<std::int64_t>(1000 * pace(trial.number) * (to - from)));
  }
  std::optional<double> dies_at(const Trial& trial, const Attempt& attempt) const override {
    return death(trial.number, attempt.number);
  }
};

// One study run in virtual time, over any executor; every piece is open to the test.
struct Simulation {
  explicit Simulation(const std::string& space, std::uint64_t seed = 1) {
    const StudySpec spec = parse_spec(space, "test.json");
    policy = {make_sampler(spec, seed), make_pruner(spec)};
    created = {"0123456789abcdef0123456789abcdef", seed, spec.name, spec.folder, spec.document};
  }

  int run(Executor& executor, const Clock& clock, int slots) {
    Runner runner(study, policy.view(), store, executor, clock);
    if (!study.created()) runner.note(created);
    SessionStarted session;
    session.hosts = {here(slots)};
    return runner.run(session);
  }

  int run(const SimulatedWorld& world, int slots) {
    SimulatedExecutor executor(world);
    return run(executor, executor, slots);
  }

  StudyCreated created;
  Study study;
  MemoryStore store;
  OwnedPolicy policy;
};

// A space of one float with the given top-level members after it, e.g. R"("limits": {"trials": 3})".
inline std::string space_with(const std::string& members) {
  return R"({"command": ["true", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
             "params": {"x": {"type": "float", "low": 0, "high": 1}}, )" + members + "}";
}

}  // namespace hpsearch::testing
