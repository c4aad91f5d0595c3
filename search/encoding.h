#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trials/random.h"
#include "trials/space.h"

namespace hpsearch {

// Values of a parameter and their coordinate in [0, 1]. Logarithmic domains are uniform in the logarithm; integers,
// stepped floats and choices are equal cells (logarithmic integers: half a step wider than their ends) whose centre
// is the coordinate. A fixed parameter has none.

// The highest index of a domain's values, counted from 0; none for a continuous float. 2^64 - 1 for all integers.
std::optional<std::uint64_t> last_index(const Domain& domain);

// The value of that index, exact. Domains without indices have none.
Json value_at(const Domain& domain, std::uint64_t index);
std::optional<std::uint64_t> index_of(const Domain& domain, const Json& value);

// The value at coordinate `unit`, clamped to [0, 1]; always within the bounds.
Json decoded(const Domain& domain, double unit);

// None for a fixed parameter and for a value outside the domain.
std::optional<double> encoded(const Domain& domain, const Json& value);

// A value drawn uniformly (in the logarithm where the domain says so). Integers are exact over all 64 bits.
Json drawn(const Domain& domain, RandomStream& random);

// The coordinates of a point: one a searched parameter, in the order of the space, none where inactive.
std::vector<std::optional<double>> encoded(const Space& space, const Json& values);

}  // namespace hpsearch
