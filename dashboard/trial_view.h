#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// One trial as lists show it, however it was read.
struct TrialView {
  int number = 0;
  TrialState state = TrialState::queued;
  FailureReason failure = FailureReason::none;
  int failure_code = 0;
  std::string detail;                          // Why it stands where it stands, where the state alone does not tell.
  std::optional<MetricValue> value;            // By the study's rule.
  double resource = 0;
  std::int64_t reports = 0;
  int attempts = 0, retries = 0, bracket = 0;
  Json params = Json::object();
  std::string method;
  std::optional<Slot> slot;                    // Of the last attempt.
  bool excluded = false;
  std::string program;
  std::optional<Time> created, started, ended;
};

TrialView view_of(const Trial& trial);

// "exit 7", "diverged"; empty for a trial that did not fail.
std::string reason_text(const TrialView& trial);
// "completed", "failed (exit 7)", with ", excluded" where it is.
std::string state_text(const TrialView& trial);

// The last line that an attempt's program printed; empty where it printed none.
std::string last_words(const AttemptEnd& end);
// Why a trial failed, on one line: the detail, else the last line that its last attempt wrote; may be empty.
std::string failure_hint(const Trial& trial);

// Closing values of a trial besides its metric (a test accuracy), as an object and for people: "test_accuracy 0.9025".
Json closing_metrics(const Trial& trial);
std::string closing_text(const Trial& trial);

// Every field, in every state; absent values are null.
Json trial_json(const TrialView& trial);

// A table with one row a trial; `metric` and `resource` head their columns.
std::string trials_table(const std::vector<TrialView>& trials, const std::string& metric, const std::string& resource);

}  // namespace hpsearch
