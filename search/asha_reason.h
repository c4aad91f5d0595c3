#pragma once

#include <cstdint>
#include <string>

#include "search/pruner.h"

namespace hpsearch {

// One line each, for `why`.
std::string verdict_reason(const RungEntry& entry, double step, Verdict verdict);   // rung 3: 5th of 12, best 4 go on: stopped
std::string promotion_reason(const Promotion& promotion);          // rung 3: 2nd of 12, best 4 go on: promoted to 9
std::string complete_reason(const std::string& resource, std::int64_t top);         // reached epoch 27: complete
std::string missed_reason(const std::string& resource, std::int64_t level, double step);

}  // namespace hpsearch
