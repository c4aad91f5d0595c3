#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "trials/space.h"

namespace hpsearch {

// The configurations of a space in the order of an odometer: the last active parameter turns fastest, an inactive
// one has no value, a float without step has `points` levels even in the unit interval, ends included. Each distinct
// configuration that the constraints allow is met once. Nothing is materialised; a step costs O(parameters) beyond
// the configurations that constraints cut away, and a constraint is tried as soon as its last parameter is set.
class Grid {
 public:
  // One configuration: the level of each parameter of the space, none where inactive.
  struct Point {
    std::vector<std::optional<std::uint64_t>> levels;
    Json values = Json::object();
  };

  // `space` outlives the grid. `constraints` are positions in space.constraints.
  Grid(const Space& space, std::uint64_t points, const std::vector<std::size_t>& constraints);
  Grid(const Space& space, std::uint64_t points);  // All of them.

  // `budget` bounds the configurations looked at and is lowered by them; none when it or the grid is used up.
  std::optional<Point> first(std::uint64_t& budget) const;
  std::optional<Point> after(const Point& point, std::uint64_t& budget) const;

  // The point of a configuration that this grid once gave; none for another.
  std::optional<Point> locate(const Json& values) const;

 private:
  std::uint64_t last_level(std::size_t param) const;
  Json value(std::size_t param, std::uint64_t level) const;
  std::optional<std::uint64_t> level(std::size_t param, const Json& value) const;
  bool holds(std::size_t param, const Json& values) const;

  bool advance(Point& point) const;
  void place(Point& point, std::size_t param, std::uint64_t level) const;
  std::optional<Point> completed(Point point, std::uint64_t& budget) const;

  const Space& space_;
  std::uint64_t points_;
  std::vector<std::vector<std::size_t>> ending_;  // Constraints by the position of their last parameter.
};

}  // namespace hpsearch
