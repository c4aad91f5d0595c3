#pragma once

#include <cstdint>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>

#include "trials/event.h"
#include "trials/spec.h"

namespace hpsearch {

// The values that trials reported at one level, best first: finite ones in the direction of the goal (-0.0 = 0.0),
// then all others as equals, and equal values in the order of their entry. Every operation is O(log n).
class Rung {
 public:
  explicit Rung(Goal goal) : goal_(goal) {}

  // `seq` rises from one entry to the next; a trial enters once.
  void enter(int trial, double value, Seq seq);

  std::int64_t size() const { return static_cast<std::int64_t>(places_.size()); }

  // The place, from 1, that `value` would take if it were entered now.
  std::int64_t rank_of_next(double value) const;

  // Whether a trial of this rung waits to be promoted. One whose value is not finite never does.
  void offer(int trial);
  void withdraw(int trial);

  struct Candidate {
    int trial = 0;
    std::int64_t rank = 0;
  };
  // The best waiting trial among the first `k` that `eligible` accepts.
  std::optional<Candidate> best_waiting(std::int64_t k, const std::function<bool(int)>& eligible) const;

 private:
  // Smaller is better; a value that is not finite has cost infinity.
  struct Place {
    double cost = 0;
    Seq seq = 0;
    int trial = 0;
    auto operator<=>(const Place&) const = default;
  };
  using Places = __gnu_pbds::tree<Place, __gnu_pbds::null_type, std::less<Place>, __gnu_pbds::rb_tree_tag,
                                  __gnu_pbds::tree_order_statistics_node_update>;

  double cost(double value) const;
  std::int64_t rank(const Place& place) const { return static_cast<std::int64_t>(places_.order_of_key(place)) + 1; }

  Goal goal_;
  Places places_;
  std::set<Place> waiting_;
  std::unordered_map<int, Place> place_of_;
};

}  // namespace hpsearch
