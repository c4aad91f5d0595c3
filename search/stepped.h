#pragma once

#include <cstdint>
#include <optional>

#include "trials/space.h"

namespace hpsearch {

// Values low + index * step up to high. Integers are exact over all 64 bits; floats are the decimal numbers that the
// bounds and the step suggest (0.3, where 3 * 0.1 is 0.30000000000000004).
std::uint64_t stepped_last(const IntDomain& domain);
std::int64_t stepped_value(const IntDomain& domain, std::uint64_t index);
std::optional<std::uint64_t> stepped_index(const IntDomain& domain, const Json& value);

std::uint64_t stepped_last(const FloatDomain& domain);     // The domain has a step.
double stepped_value(const FloatDomain& domain, std::uint64_t index);
std::optional<std::uint64_t> stepped_index(const FloatDomain& domain, const Json& value);

}  // namespace hpsearch
