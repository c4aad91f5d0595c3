#pragma once

#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// A trial's entry into a rung with what led to it: the report's step and time, and the verdict.
struct RungVisit {
  int trial = 0, attempt = 0;
  RungEntry entry;
  std::optional<double> step;                  // Of the report that entered; past the level where that was jumped.
  Time at{};                                   // When it was judged.
  Verdict verdict = Verdict::go_on;
  std::string reason;
};

// Collects every rung entry of a log, which the fold alone does not keep.
class RungVisits {
 public:
  // `before` is the fold of all events before `event`.
  void apply(const Study& before, const Event& event);
  const std::vector<RungVisit>& all() const { return visits_; }

 private:
  std::vector<RungVisit> visits_;
};

// A table for people, in the order of the log; empty when there are none.
std::string visits_table(const std::vector<RungVisit>& visits, const std::string& resource, const std::string& metric);
Json visits_json(const std::vector<RungVisit>& visits);

}  // namespace hpsearch
