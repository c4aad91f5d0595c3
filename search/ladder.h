#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hpsearch {

// Whole resource levels at which trials are compared: the rungs, lowest first, and the terminal level R (`top`),
// which is none of them.
class Ladder {
 public:
  // Rungs at r, r*eta, r*eta^2, ... below R, each rounded half up from the unrounded product, duplicates dropped.
  // Throws std::invalid_argument with the broken rule unless 1 <= r <= R and eta >= 1.01.
  static Ladder geometric(std::int64_t r, std::int64_t top, double eta);

  // Rungs as listed; a last one equal to R is left out. Throws std::invalid_argument unless they are positive,
  // strictly rising, at most R, and at least one.
  static Ladder listed(std::vector<std::int64_t> levels, std::int64_t top);

  // The same without its `count` lowest rungs.
  Ladder without_lowest(std::size_t count) const;

  std::size_t rungs() const { return levels_.size(); }
  std::int64_t level(std::size_t rung) const { return levels_[rung]; }
  std::int64_t top() const { return top_; }
  std::int64_t above(std::size_t rung) const;         // The next level: a rung's, or R after the last.

  std::size_t reached(double step) const;             // Number of rungs at or below `step`.
  std::int64_t next(double step) const;               // The lowest level above `step`; R when there is none.
  std::optional<std::size_t> rung_at(double level) const;

  // How many of `n` entries a rung keeps: n * level / above, rounded down or up; exact for every n.
  std::int64_t kept(std::int64_t n, std::size_t rung) const;
  std::int64_t kept_rounded_up(std::int64_t n, std::size_t rung) const;

 private:
  Ladder(std::vector<std::int64_t> levels, std::int64_t top) : levels_(std::move(levels)), top_(top) {}

  std::vector<std::int64_t> levels_;
  std::int64_t top_;
};

}  // namespace hpsearch
