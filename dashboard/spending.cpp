#include "dashboard/spending.h"

namespace hpsearch {

namespace {

std::string outcome(const Trial& trial) {
  switch (trial.state) {
    case TrialState::queued:
    case TrialState::starting:
    case TrialState::running: return "running";
    case TrialState::completed: return "completed";
    case TrialState::paused:
    case TrialState::stopped: return "stopped early";
    case TrialState::failed:
    case TrialState::cancelled: return to_string(trial.state);
  }
  return "";
}

void add(Spent& spent, const Attempt& attempt, double taken) {
  spent.hours += taken;
  spent.gpu_hours += attempt.gpus * taken;
  spent.cost += attempt.price_per_hour * taken;
  ++spent.attempts;
}

}  // namespace

Spending spending_of(const Study& study, Time now) {
  Spending spending;
  for (const Trial& trial : study.trials()) {
    double whole = 0;
    for (const Attempt& attempt : trial.attempts) {
      const double taken = hours(attempt, now);
      whole += taken;
      for (Spent* spent : {&spending.by_host[attempt.slot.host], &spending.by_outcome[outcome(trial)], &spending.all})
        add(*spent, attempt, taken);
    }
    const bool early = trial.state == TrialState::paused || trial.state == TrialState::stopped;
    if (early && study.spec().resource && trial.resource > 0)
      spending.saved_hours += whole * (study.spec().resource->max - trial.resource) / trial.resource;
  }
  for (const auto& [host, bill] : study.instances()) {
    const double cost = hpsearch::cost(bill, now);
    for (Spent* spent : {&spending.by_host[host], &spending.by_outcome["instances"], &spending.all}) spent->cost += cost;
  }
  return spending;
}

}  // namespace hpsearch
