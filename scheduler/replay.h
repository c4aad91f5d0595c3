#pragma once

#include <string>
#include <vector>

#include "store/store.h"

namespace hpsearch {

struct ReplayResult {
  std::int64_t events = 0;
  std::int64_t decisions = 0;         // Recomputed and compared.
  std::vector<std::string> mismatches;  // At most 20, each naming seq, stored and recomputed decision.
};

// Recomputes every decision of a log from its prefix, with the sampler and pruner that the log's spec names, and
// compares it with what was stored: bit-exact in parameters and unit-cube coordinates, verdicts, rungs and states.
ReplayResult verify_replay(const Store& store);

}  // namespace hpsearch
