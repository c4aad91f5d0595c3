#include "scheduler/hosts/trial_ranks.h"

#include <algorithm>

namespace hpsearch {

void TrialRanks::ended(pid_t pid, int status) {
  const auto rank = std::find_if(ranks_.begin(), ranks_.end(), [&](const Rank& each) { return each.pid == pid && !each.status; });
  if (rank == ranks_.end()) return;
  rank->status = status;
  if (status != 0 && !first_failed_) first_failed_ = static_cast<int>(rank - ranks_.begin());
}

bool TrialRanks::over() const {
  return !ranks_.empty() && std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.status.has_value(); });
}

int TrialRanks::status(int rank) const { return rank < count() ? ranks_[rank].status.value_or(0) : 0; }

}  // namespace hpsearch
