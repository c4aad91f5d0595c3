#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

struct Admission {
  int bracket = 0;
  std::optional<double> milestone;  // First step whose report waits for a verdict; none: never.
};

struct Judgement {
  Verdict verdict = Verdict::go_on;
  std::optional<double> milestone;  // The next one, for go_on.
  std::vector<RungEntry> entries;
  std::string reason;               // One line for `why`.
};

struct Promotion {
  int trial = 0, bracket = 0;
  double from = 0, to = 0;
  std::int64_t n = 0, k = 0, rank = 0;
  std::string reason;
};

// Decides which trials earn more resource. State is a fold of the log (`apply`): rungs are entered when a Judged
// event is applied, promotions when a Promoted event is. The other methods change nothing.
class Pruner {
 public:
  virtual ~Pruner() = default;
  virtual void apply(const Study& study, const Event& event) = 0;
  // For a trial about to be created.
  virtual Admission admit(const Study& study) const = 0;
  // For a report at or past its attempt's milestone that carries the metric; `value` by the study's value rule.
  virtual Judgement judge(const Study& study, const Reported& report, double value) const = 0;
  // The paused trial that has earned more, asked before a new suggestion.
  virtual std::optional<Promotion> next(const Study& study) const = 0;
};

// For spec.search.pruner.type: none, asha.
std::unique_ptr<Pruner> make_pruner(const StudySpec& spec);

}  // namespace hpsearch
