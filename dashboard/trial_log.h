#pragma once

#include <vector>

#include "trials/study.h"

namespace hpsearch {

// A report, and whether it counts: those after a verdict to end, and of steps reached before, are history.
struct LoggedReport {
  Reported report;
  bool counts = true;
};

// The events of one trial, in the order of the log: what `show` and `why` tell beyond the fold.
class TrialLog {
 public:
  explicit TrialLog(int trial) : trial_(trial) {}
  // `before` has not yet applied `event`.
  void apply(const Study& before, const Event& event);

  const std::vector<Event>& events() const { return events_; }
  const std::vector<LoggedReport>& reports() const { return reports_; }

 private:
  int trial_;
  std::vector<Event> events_;
  std::vector<LoggedReport> reports_;
};

}  // namespace hpsearch
