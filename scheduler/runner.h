#pragma once

#include <functional>

#include "scheduler/clock.h"
#include "scheduler/decide.h"
#include "scheduler/executor.h"
#include "store/store.h"

namespace hpsearch {

// Called after a batch is durable and acted on, with its events: progress views, clean-up. Throws nothing.
using Observer = std::function<void(const Study&, const std::vector<Event>&)>;

// The one loop: record facts, take decisions until there are none, save the batch in one transaction, then act.
class Runner {
 public:
  // `study` is the fold of what `store` holds and `policy` has applied the same events.
  Runner(Study& study, Policy policy, Store& store, Executor& executor, const Clock& clock, Observer observer = {});

  // Records what comes before the first session of a new study, or between sessions, durably.
  void note(Fact fact);
  // Runs until the study ends, or this session does. Returns the exit status. Throws when the machine fails.
  int run(SessionStarted session);
  // The session ended and left what runs to the next one.
  bool detached() const { return detached_; }

 private:
  bool gather();
  bool over() const;
  int finish();
  Time now() const;
  void record(std::variant<Fact, Decision> body, Time at);
  void take_decisions();
  void commit_and_act();
  void act(const Decision& decision);

  Study& study_;
  Policy policy_;
  Store& store_;
  Executor& executor_;
  const Clock& clock_;
  Observer observer_;
  std::vector<Event> batch_;
  bool urgent_ = false;    // The batch holds something that must not wait for more reports.
  bool detached_ = false;
};

}  // namespace hpsearch
