#pragma once

#include <vector>

#include "trials/event.h"

namespace hpsearch {

// The events of one trial, in the order of the log: what `show` and `why` tell beyond the fold.
class TrialLog {
 public:
  explicit TrialLog(int trial) : trial_(trial) {}
  void apply(const Event& event);

  const std::vector<Event>& events() const { return events_; }
  std::vector<Reported> reports() const;

 private:
  int trial_;
  std::vector<Event> events_;
};

}  // namespace hpsearch
