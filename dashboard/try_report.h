#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// What was seen of a single trial that was run to test a program.
struct TryReport {
  Json params;
  std::string wanted_metric;
  std::string outcome;                       // "completed", "failed (exit 7): ...".
  std::map<std::string, int> metrics;        // Reports that carried each.
  std::vector<double> steps;
  std::optional<double> value;
  std::string checkpoint;                    // Last one named; empty for none.
  bool checkpoint_declared = false;
  bool told_to_stop = false, stopped_by_itself = false;
  std::vector<std::string> rejected;         // Reports that were refused, and why.
  std::string log_tail;                      // Of a failed one.
};

// `events` is the log of a study of one trial.
TryReport observe_try(const Study& study, const std::vector<Event>& events);
std::string try_text(const TryReport& report);
Json try_json(const TryReport& report);

}  // namespace hpsearch
