#include "dashboard/trial_log.h"

namespace hpsearch {

namespace {

template <typename E>
int trial_named(const E& event) {
  if constexpr (requires { event.trial.value_or(0); }) return event.trial.value_or(0);
  else if constexpr (requires { event.trial; }) return event.trial;
  else return 0;
}

}  // namespace

int trial_of(const Event& event) {
  return std::visit(
      [](const auto& group) { return std::visit([](const auto& e) { return trial_named(e); }, group); }, event.body);
}

void TrialLog::apply(const Event& event) {
  if (trial_of(event) == trial_) events_.push_back(event);
}

std::vector<Reported> TrialLog::reports() const {
  std::vector<Reported> reports;
  for (const Event& event : events_)
    if (const Fact* fact = std::get_if<Fact>(&event.body))
      if (const auto* report = std::get_if<Reported>(fact)) reports.push_back(*report);
  return reports;
}

}  // namespace hpsearch
