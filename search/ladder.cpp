#include "search/ladder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hpsearch {
namespace {

__extension__ using Wide = __int128;

void check_range(std::int64_t r, std::int64_t top, double eta) {
  if (r < 1 || r > top) throw std::invalid_argument("the smallest rung must lie between 1 and the maximum resource");
  if (!(eta >= 1.01) || !std::isfinite(eta)) throw std::invalid_argument("must be a number of at least 1.01");
}

std::vector<std::int64_t> whole_powers(std::int64_t r, std::int64_t top, std::int64_t eta) {
  std::vector<std::int64_t> levels;
  for (Wide x = r; x < top; x *= eta) levels.push_back(static_cast<std::int64_t>(x));
  return levels;
}

std::vector<std::int64_t> rounded_powers(std::int64_t r, std::int64_t top, double eta) {
  std::vector<std::int64_t> levels;
  for (double x = static_cast<double>(r);; x *= eta) {
    const double rounded = std::floor(x + 0.5);
    if (rounded >= static_cast<double>(top)) return levels;
    const auto level = static_cast<std::int64_t>(rounded);
    if (levels.empty() || level > levels.back()) levels.push_back(level);
  }
}

bool strictly_rising(const std::vector<std::int64_t>& levels) {
  return std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>()) == levels.end();
}

}  // namespace

Ladder Ladder::geometric(std::int64_t r, std::int64_t top, double eta) {
  check_range(r, top, eta);
  // Beyond R / r one step leaves the ladder, however large eta is.
  if (eta > static_cast<double>(top)) eta = std::floor(static_cast<double>(top)) + 1;
  if (eta == std::floor(eta)) return {whole_powers(r, top, static_cast<std::int64_t>(eta)), top};
  return {rounded_powers(r, top, eta), top};
}

Ladder Ladder::listed(std::vector<std::int64_t> levels, std::int64_t top) {
  if (levels.empty()) throw std::invalid_argument("must hold at least one level");
  if (levels.front() < 1) throw std::invalid_argument("must be positive");
  if (!strictly_rising(levels)) throw std::invalid_argument("must rise strictly");
  if (levels.back() > top) throw std::invalid_argument("must not exceed the maximum resource");
  if (levels.back() == top) levels.pop_back();
  return {std::move(levels), top};
}

Ladder Ladder::without_lowest(std::size_t count) const {
  const auto first = levels_.begin() + static_cast<std::ptrdiff_t>(std::min(count, levels_.size()));
  return {{first, levels_.end()}, top_};
}

std::int64_t Ladder::above(std::size_t rung) const { return rung + 1 < levels_.size() ? levels_[rung + 1] : top_; }

std::size_t Ladder::reached(double step) const {
  const auto beyond = std::upper_bound(levels_.begin(), levels_.end(), step,
                                       [](double s, std::int64_t level) { return s < static_cast<double>(level); });
  return static_cast<std::size_t>(beyond - levels_.begin());
}

std::int64_t Ladder::next(double step) const {
  const std::size_t rung = reached(step);
  return rung < levels_.size() ? levels_[rung] : top_;
}

std::optional<std::size_t> Ladder::rung_at(double level) const {
  const std::size_t count = reached(level);
  if (count == 0 || static_cast<double>(levels_[count - 1]) != level) return std::nullopt;
  return count - 1;
}

std::int64_t Ladder::kept(std::int64_t n, std::size_t rung) const {
  return static_cast<std::int64_t>(Wide{n} * level(rung) / above(rung));
}

std::int64_t Ladder::kept_rounded_up(std::int64_t n, std::size_t rung) const {
  return static_cast<std::int64_t>((Wide{n} * level(rung) + above(rung) - 1) / above(rung));
}

}  // namespace hpsearch
