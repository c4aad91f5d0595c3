#include "scheduler/hosts/gpu_groups.h"

#include <algorithm>
#include <numeric>

namespace hpsearch {

namespace {

constexpr int kHostBridge = 30;

}  // namespace

std::vector<int> gpu_groups(int count, const CommonAncestor& ancestor) {
  std::vector<int> groups(static_cast<std::size_t>(count));
  std::iota(groups.begin(), groups.end(), 0);
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      const auto level = ancestor(a, b);
      if (!level) return std::vector<int>(groups.size(), 0);
      const int low = std::min(groups[a], groups[b]), high = std::max(groups[a], groups[b]);
      if (*level <= kHostBridge) std::replace(groups.begin(), groups.end(), high, low);
    }
  return groups;
}

}  // namespace hpsearch
