#include "search/grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/encoding.h"

namespace hpsearch {
namespace {

std::vector<std::size_t> all_constraints(const Space& space) {
  std::vector<std::size_t> all(space.constraints.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::size_t last_param(const Space& space, const Constraint& constraint) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < space.params.size(); ++i)
    for (const std::string& name : constraint.names())
      if (space.params[i].name == name) last = i;
  return last;
}

}  // namespace

Grid::Grid(const Space& space, std::uint64_t points, const std::vector<std::size_t>& constraints)
    : space_(space), points_(points), ending_(space.params.size()) {
  for (std::size_t c : constraints) ending_.at(last_param(space, space.constraints[c])).push_back(c);
}

Grid::Grid(const Space& space, std::uint64_t points) : Grid(space, points, all_constraints(space)) {}

std::optional<Grid::Point> Grid::first(std::uint64_t& budget) const { return completed({}, budget); }

std::optional<Grid::Point> Grid::after(const Point& point, std::uint64_t& budget) const {
  Point next = point;
  if (!advance(next)) return std::nullopt;
  return completed(std::move(next), budget);
}

// Turns the last parameter that can turn and drops those after it.
bool Grid::advance(Point& point) const {
  while (!point.levels.empty()) {
    const std::size_t param = point.levels.size() - 1;
    const auto level = point.levels.back();
    point.levels.pop_back();
    point.values.erase(space_.params[param].name);
    if (!level || *level == last_level(param)) continue;
    place(point, param, *level + 1);
    return true;
  }
  return false;
}

void Grid::place(Point& point, std::size_t param, std::uint64_t level) const {
  point.levels.push_back(level);
  point.values[space_.params[param].name] = value(param, level);
}

// The first allowed whole configuration at or after a prefix.
std::optional<Grid::Point> Grid::completed(Point point, std::uint64_t& budget) const {
  while (budget > 0) {
    --budget;
    const std::size_t set = point.levels.size();
    if (set > 0 && !holds(set - 1, point.values)) {
      if (!advance(point)) return std::nullopt;
    } else if (set == space_.params.size()) {
      return point;
    } else if (space_.active(space_.params[set], point.values)) {
      place(point, set, 0);
    } else {
      point.levels.push_back(std::nullopt);
    }
  }
  return std::nullopt;
}

bool Grid::holds(std::size_t param, const Json& values) const {
  const auto& ending = ending_[param];
  return std::all_of(ending.begin(), ending.end(), [&](std::size_t c) { return space_.constraints[c].holds(values); });
}

std::optional<Grid::Point> Grid::locate(const Json& values) const {
  Point point;
  for (std::size_t i = 0; i < space_.params.size(); ++i) {
    const auto found = values.find(space_.params[i].name);
    const bool active = space_.active(space_.params[i], point.values);
    if (active != (found != values.end())) return std::nullopt;
    if (!active) {
      point.levels.push_back(std::nullopt);
      continue;
    }
    const auto known = level(i, *found);
    if (!known) return std::nullopt;
    place(point, i, *known);
  }
  return point;
}

std::uint64_t Grid::last_level(std::size_t param) const {
  const Domain& domain = space_.params[param].domain;
  if (const auto last = last_index(domain)) return *last;
  const auto& range = std::get<FloatDomain>(domain);
  return range.low == range.high ? 0 : points_ - 1;
}

Json Grid::value(std::size_t param, std::uint64_t level) const {
  const Domain& domain = space_.params[param].domain;
  if (last_index(domain)) return value_at(domain, level);
  const std::uint64_t last = last_level(param);
  return decoded(domain, last == 0 ? 0.5 : static_cast<double>(level) / static_cast<double>(last));
}

std::optional<std::uint64_t> Grid::level(std::size_t param, const Json& given) const {
  const Domain& domain = space_.params[param].domain;
  if (last_index(domain)) return index_of(domain, given);
  const auto unit = encoded(domain, given);
  if (!unit) return std::nullopt;
  const std::uint64_t last = last_level(param);
  const auto nearest = last == 0 ? 0 : static_cast<std::uint64_t>(std::llround(*unit * static_cast<double>(last)));
  if (value(param, nearest) != given) return std::nullopt;
  return nearest;
}

}  // namespace hpsearch
