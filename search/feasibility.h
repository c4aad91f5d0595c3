#pragma once

#include <optional>
#include <string>

#include "trials/spec.h"

namespace hpsearch {

// Why no trial of this study could ever be suggested; none when one can. Spaces of up to a million configurations
// (and grids) are searched whole, others by 200,000 random draws, so that a rule met less often than that is
// reported too. Names the constraints that never held.
std::optional<std::string> infeasible(const StudySpec& spec);

}  // namespace hpsearch
