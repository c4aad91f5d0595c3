#pragma once

#include <functional>

#include "scheduler/clock.h"
#include "scheduler/decide.h"
#include "scheduler/executor.h"
#include "store/store.h"

namespace hpsearch {

// Called after a batch is durable, with its events: progress views. Throws nothing.
using Observer = std::function<void(const Study&, const std::vector<Event>&)>;

// The one loop: record a fact, take decisions until there are none, save the batch in one transaction, then act.
class Runner {
 public:
  // `study` is the fold of what `store` holds and `policy` has applied the same events.
  Runner(Study& study, Policy policy, Store& store, Executor& executor, const Clock& clock, Observer observer = {});

  // Writes StudyCreated and makes it durable, before anything else of a new study.
  void create(StudyCreated created);
  // Runs until the study ends, or this session does. Returns the exit status. Throws when the machine fails.
  int run(SessionStarted session);

 private:
  void record(Fact fact);
  void take_decisions();
  void commit_and_act();
  void apply(std::variant<Fact, Decision> body);

  Study& study_;
  Policy policy_;
  Store& store_;
  Executor& executor_;
  const Clock& clock_;
  Observer observer_;
  std::vector<Event> batch_;
};

}  // namespace hpsearch
