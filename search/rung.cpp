#include "search/rung.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace hpsearch {

void Rung::enter(int trial, double value, Seq seq) {
  const Place place{cost(value), seq, trial};
  [[maybe_unused]] const bool first = place_of_.emplace(trial, place).second;
  assert(first);
  places_.insert(place);
}

std::int64_t Rung::rank_of_next(double value) const {
  return rank({cost(value), std::numeric_limits<Seq>::max(), std::numeric_limits<int>::max()});
}

void Rung::offer(int trial) {
  const Place& place = place_of_.at(trial);
  if (std::isfinite(place.cost)) waiting_.insert(place);
}

void Rung::withdraw(int trial) {
  const auto found = place_of_.find(trial);
  if (found != place_of_.end()) waiting_.erase(found->second);
}

std::optional<Rung::Candidate> Rung::best_waiting(std::int64_t k, const std::function<bool(int)>& eligible) const {
  for (const Place& place : waiting_) {
    const std::int64_t r = rank(place);
    if (r > k) return std::nullopt;
    if (eligible(place.trial)) return Candidate{place.trial, r};
  }
  return std::nullopt;
}

double Rung::cost(double value) const {
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  // Adding zero turns -0.0 into 0.0.
  return (goal_ == Goal::maximize ? -value : value) + 0.0;
}

}  // namespace hpsearch
