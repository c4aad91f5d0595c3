#pragma once

#include <string>
#include <vector>

#include "trials/spec.h"

namespace hpsearch {

// What a changed space file would do to a study that has trials.
struct SpecChange {
  Json difference = Json::array();        // {"path": "limits.trials", "was": 10, "is": 15}
  std::vector<std::string> refusals;      // Why it can't be applied, one a rule broken.
  std::vector<std::string> warnings;

  bool empty() const { return difference.empty(); }
};

// Limits, hosts, trial settings, the sampler, wider or narrower ranges, added choices and new parameters that say
// what they were may change; metric and goal, resource and pruner (rungs would no longer compare) and the kinds of
// parameters may not.
SpecChange compare_specs(const StudySpec& was, const StudySpec& is);

}  // namespace hpsearch
