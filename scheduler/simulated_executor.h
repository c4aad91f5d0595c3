#pragma once

#include <deque>
#include <map>
#include <queue>
#include <vector>

#include "scheduler/clock.h"
#include "scheduler/executor.h"

namespace hpsearch {

// What trials do in a simulation. Pure: asked in any order, any number of times.
class SimulatedWorld {
 public:
  virtual ~SimulatedWorld() = default;
  // The metric after `step` units of resource (without resource: step 1, the closing value).
  virtual double value(const Trial& trial, double step) const = 0;
  // Time to go from one step to another.
  virtual Span duration(const Trial& trial, double from, double to) const = 0;
  // The next step reported after `step`; the default reports at milestones only.
  virtual double next_report(const Trial&, double /*step*/, double milestone) const { return milestone; }
  // The step at which this attempt dies before reporting it, if it does.
  virtual std::optional<double> dies_at(const Trial&, const Attempt&) const { return std::nullopt; }
};

// An executor and a clock over virtual time: nothing runs, nothing waits. Events at equal times come in the order
// they were scheduled, the end of a trial that was told to end before all others. Repeatable to the last bit.
class SimulatedExecutor : public Executor, public Clock {
 public:
  explicit SimulatedExecutor(const SimulatedWorld& world) : world_(world) {}

  Time now() const override { return now_; }
  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) override;
  void adopt(const Study& study, const Trial& trial, const Attempt& attempt) override;
  // A poll (a deadline that has passed) always answers Tick, so that every fact is decided on and acted on alone.
  std::variant<Fact, Tick> wait(std::optional<Time> deadline) override;
  // The scheduler died and its study with it: adopt names the one that goes on.
  void forget_study() { study_ = nullptr; }

 private:
  struct Run {
    int attempt = 0;
    double step = 0;        // Reached so far.
    std::uint64_t seq = 0;  // Reports sent.
  };
  struct Due {
    Time at;
    std::uint64_t order;
    int trial, attempt;
    std::optional<double> step;  // A report at this step; none: the attempt dies.
    bool operator>(const Due& other) const { return std::tie(at, order) > std::tie(other.at, other.order); }
  };

  void schedule(const Trial& trial, double milestone);
  void end(int trial, AttemptEnd end);
  Fact happen(const Due& due);

  const SimulatedWorld& world_;
  const Study* study_ = nullptr;  // The one study it runs, seen at the first start.
  Time now_{};
  std::uint64_t order_ = 0;
  std::map<int, Run> runs_;
  std::deque<Fact> immediate_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace hpsearch
