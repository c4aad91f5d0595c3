// Writes a study that stands in the middle of its work: so many trials finished, each with so many reports, and more
// of its budget left. The log is what the runner writes, over virtual time; `resume` then goes on with real trials.
// Usage: big_study SPACE STUDY_DIR TRIALS

#include <cstdio>
#include <cstdlib>

#include "scheduler/policy.h"
#include "scheduler/runner.h"
#include "scheduler/simulated_executor.h"
#include "store/sqlite_store.h"
#include "trials/random.h"

namespace {

using namespace hpsearch;

// Reports every step.
struct World : SimulatedWorld {
  double value(const Trial& trial, double step) const override {
    return RandomStream(7, "asymptote", trial.number).uniform() + 1 / step;
  }
  Span duration(const Trial&, double from, double to) const override {
    return Span(static_cast<std::int64_t>(1'000 * (to - from)));
  }
  double next_report(const Trial&, double step, double) const override { return step + 1; }
};

// Interrupts the session when so many trials have been suggested; they still run to their end.
class InterruptedAfter : public Executor {
 public:
  InterruptedAfter(SimulatedExecutor& inner, int trials) : inner_(inner), trials_(trials) {}

  void start(const Study& study, const AttemptPlanned& plan) override {
    inner_.start(study, plan);
    interrupt_ = static_cast<int>(study.trials().size()) >= trials_;
  }
  void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) override { inner_.tell(study, word); }
  void adopt(const Study& study, const Trial& trial, const Attempt& attempt) override { inner_.adopt(study, trial, attempt); }
  std::variant<Fact, Tick> wait(std::optional<Time> deadline) override {
    if (!interrupt_ || interrupted_) return inner_.wait(deadline);
    interrupted_ = true;
    return Interrupted{1};
  }

 private:
  SimulatedExecutor& inner_;
  int trials_;
  bool interrupt_ = false, interrupted_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: big_study SPACE STUDY_DIR TRIALS\n"), 2;
  const StudySpec spec = read_spec(argv[1]);
  const std::filesystem::path folder = argv[2];
  const auto store = SqliteStore::create(folder / "study.db");
  Study study;
  store->attach(study);
  World world;
  SimulatedExecutor clock(world);
  InterruptedAfter executor(clock, std::atoi(argv[3]));
  OwnedPolicy policy{make_sampler(spec, 1), make_pruner(spec)};
  Runner runner(study, policy.view(), *store, executor, clock);
  runner.note(StudyCreated{"bench", 1, spec.name, spec.folder, spec.document});
  SessionStarted session;
  session.hosts = {{"local", HostState::up, "", 100, 0, {}}};
  runner.run(session);
  std::printf("%zu trials, %llu events in %s\n", study.trials().size(), static_cast<unsigned long long>(study.last_seq()),
              folder.c_str());
}
