#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace hpsearch {

// How far up two GPUs meet, in the driver's words: 0 one board, 10 one switch, 20 several switches, 30 a host bridge (all
// of which count as close), 40 a NUMA node, 50 the system. None where the driver can't tell.
using CommonAncestor = std::function<std::optional<int>(int, int)>;

// A group for each of `count` GPUs, the same for GPUs that are close: the lowest number among them. Where the driver can't
// tell of one pair, all are one group.
std::vector<int> gpu_groups(int count, const CommonAncestor& ancestor);

}  // namespace hpsearch
