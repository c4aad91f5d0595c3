#include "dashboard/trial_log.h"

namespace hpsearch {

void TrialLog::apply(const Event& event) {
  if (trial_of(event) == trial_) events_.push_back(event);
}

std::vector<Reported> TrialLog::reports() const {
  std::vector<Reported> reports;
  for (const Event& event : events_)
    if (const auto* report = event_as<Reported>(event)) reports.push_back(*report);
  return reports;
}

}  // namespace hpsearch
