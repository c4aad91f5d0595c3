// Simulated ASHA in virtual time: seconds of one core and cost per decision as the study grows.
// Usage: simulated_asha [TRIALS] [WORKERS]

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "scheduler/policy.h"
#include "scheduler/runner.h"
#include "scheduler/simulated_executor.h"
#include "trials/random.h"

namespace {

using namespace hpsearch;

// Losses that fall with resource towards a trial's own asymptote, with durations of its own.
struct World : SimulatedWorld {
  double value(const Trial& trial, double step) const override {
    RandomStream random(7, "curve", trial.number);
    const double asymptote = random.uniform(), rate = 0.5 + random.uniform();
    return asymptote + std::pow(step, -rate);
  }
  Span duration(const Trial& trial, double from, double to) const override {
    const double pace = 0.5 + RandomStream(7, "pace", trial.number).uniform();
    return Span(static_cast<std::int64_t>(60'000 * pace * (to - from)));
  }
};

// Counts and forgets: what is measured is the engine, not a log in memory.
struct NullStore : Store {
  void append(const std::vector<Event>&) override {}
  void read(const std::function<void(const Event&)>&) const override {}
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec * 1e-6 + usage.ru_stime.tv_sec + usage.ru_stime.tv_usec * 1e-6;
}

StudySpec spec_for(int trials, const char* variant) {
  const std::string text = R"({"command": ["true", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}}, "resource": {"name": "epoch", "max": 81},
    "trial": {"checkpoint": true}, "search": {"sampler": "random", "seed": 1,
    "pruner": {"type": "asha", "variant": ")" + std::string(variant) + R"("}}, "limits": {"trials": )" +
                           std::to_string(trials) + "}}";
  return parse_spec(text, "bench.json");
}

void measure(const char* variant, int trials, int workers) {
  const StudySpec spec = spec_for(trials, variant);
  World world;
  SimulatedExecutor executor(world);
  NullStore store;
  Study study;
  OwnedPolicy policy{make_sampler(spec, 1), make_pruner(spec)};
  std::int64_t decisions = 0, decisions_at_mark = 0;
  double cpu_at_mark = cpu_seconds();
  int next_mark = trials / 5;
  const double begin = cpu_at_mark;
  Runner runner(study, policy.view(), store, executor, executor, [&](const Study& s, const std::vector<Event>& events) {
    for (const Event& event : events) decisions += std::holds_alternative<Decision>(event.body);
    if (static_cast<int>(s.trials().size()) < next_mark) return;
    const double now = cpu_seconds();
    std::printf("  %7d trials: %5.2f us a decision\n", next_mark, 1e6 * (now - cpu_at_mark) / (decisions - decisions_at_mark));
    cpu_at_mark = now;
    decisions_at_mark = decisions;
    next_mark += trials / 5;
  });
  runner.note(StudyCreated{"bench", 1, spec.name, spec.folder, spec.document});
  SessionStarted session;
  session.hosts = {{"local", HostState::up, "", static_cast<double>(workers), 0, {}}};
  runner.run(session);
  std::printf("asha %-7s %d trials x %d workers: %.1f s of one core, %lld decisions, best %.4f\n", variant, trials, workers,
              cpu_seconds() - begin, static_cast<long long>(decisions), study.trial(*study.best()).value->number);
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 100'000, workers = argc > 2 ? std::atoi(argv[2]) : 500;
  measure("promote", trials, workers);
  measure("stop", trials, workers);
}
