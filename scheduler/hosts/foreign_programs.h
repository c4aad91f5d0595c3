#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hpsearch {

// Those of the processes on a unit that belong neither to one of `attempts` (they, or one above them, were started in its
// environment) nor to one of `users`: "pid 4242 of bob". Empty when there are none. A pid that does not live here, as the
// driver tells them of other containers, proves nothing.
std::string foreign_programs(const std::vector<std::int64_t>& pids, const std::set<std::string>& attempts,
                             const std::set<std::string>& users);

}  // namespace hpsearch
