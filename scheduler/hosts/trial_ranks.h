#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace hpsearch {

// The processes that make up one attempt: its program alone, or one process for each GPU. The attempt is over when all
// have ended, and its end is that of the first that failed.
class TrialRanks {
 public:
  void started(pid_t pid) { ranks_.push_back({pid, std::nullopt}); }  // The next rank, from 0 on.
  // `pid` has ended, as waitpid tells it. Other processes than these don't count.
  void ended(pid_t pid, int status);

  bool empty() const { return ranks_.empty(); }
  int count() const { return static_cast<int>(ranks_.size()); }
  pid_t pid() const { return ranks_.empty() ? 0 : ranks_.front().pid; }  // Of rank 0.
  bool over() const;
  bool failed() const { return first_failed_.has_value(); }
  // The rank whose end is the attempt's: the first that failed, else 0.
  int telling() const { return first_failed_.value_or(0); }
  int status(int rank) const;  // By waitpid; 0 as long as it runs.

 private:
  struct Rank {
    pid_t pid;
    std::optional<int> status;
  };
  std::vector<Rank> ranks_;
  std::optional<int> first_failed_;
};

}  // namespace hpsearch
