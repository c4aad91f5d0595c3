#include "dashboard/trial_log.h"

namespace hpsearch {

void TrialLog::apply(const Study& before, const Event& event) {
  if (trial_of(event) != trial_) return;
  events_.push_back(event);
  if (const auto* report = event_as<Reported>(event)) reports_.push_back({*report, before.counts(*report)});
}

}  // namespace hpsearch
