#pragma once

#include <optional>
#include <string>

#include "trials/event.h"
#include "trials/space.h"

namespace hpsearch {

// A configuration that the user asked for, perhaps in part: the rest is drawn at random for this trial (pure, from
// (seed, trial)). None when no allowed configuration holds all that was given.
std::optional<Suggestion> user_point(const Space& space, const Json& given, std::uint64_t seed, int trial);

// Why `given` can't be asked for: an unknown name, a value out of range, never allowed together. None if it can.
std::optional<std::string> user_point_fault(const Space& space, const Json& given);

}  // namespace hpsearch
