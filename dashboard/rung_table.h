#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// How many trials came to one level and how they left it. The highest level is the end of the ladder, where trials
// complete; it is there as soon as any level is.
struct RungLine {
  int bracket = 0;
  double level = 0;
  std::int64_t entered = 0;
  std::int64_t went_on = 0;                   // Promoted, continued, or completed there.
  std::int64_t waiting = 0;                   // Paused here, or about to leave: they may still earn more.
  std::int64_t stopped = 0, failed = 0, cancelled = 0;
  std::optional<double> best;                 // The best finite value entered.
};

// By bracket, then level. Empty for a study without rungs.
std::vector<RungLine> rung_lines(const Study& study);

// A table for people; empty for a study without rungs.
std::string rung_table(const Study& study);
Json rungs_json(const Study& study);

}  // namespace hpsearch
