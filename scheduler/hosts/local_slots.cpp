#include "scheduler/hosts/local_slots.h"

#include <algorithm>
#include <thread>

namespace hpsearch {

std::vector<Slot> local_slots(const StudySpec& spec) {
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Slot> slots;
  for (const HostSpec& host : spec.hosts) {
    const int count = host.slots.value_or(std::max(1, static_cast<int>(cores / spec.trial.cpus)));
    for (int i = 0; i < count; ++i) slots.push_back({host.name, i, {}});
  }
  return slots;
}

}  // namespace hpsearch
