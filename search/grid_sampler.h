#pragma once

#include <optional>

#include "search/grid.h"
#include "search/sampler.h"

namespace hpsearch {

// Every configuration once, in the order of the space file with the last parameter turning fastest; then exhausted.
// Where it stands follows from the last grid suggestion in the log.
class GridSampler : public Sampler {
 public:
  // Option "points": levels of a float without step (default 10). Throws UserError when it is not a number >= 1.
  explicit GridSampler(const StudySpec& spec);
  GridSampler(const GridSampler&) = delete;
  GridSampler& operator=(const GridSampler&) = delete;

  void apply(const Event& event) override;
  SamplerAnswer suggest(const Study& study, int trial) const override;

 private:
  Space space_;
  Grid grid_;
  std::optional<Grid::Point> next_;
  std::uint64_t given_ = 0;
};

// The option "points" of a grid, checked.
std::uint64_t grid_points(const StudySpec& spec);

}  // namespace hpsearch
