#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite.h"
#include "store/study_lock.h"
#include "trials/event.h"

namespace hpsearch {

// One row of the list of trials, as the last saved batch left it.
struct TrialRow {
  int number = 0;
  TrialState state = TrialState::queued;
  FailureReason failure = FailureReason::none;
  int failure_code = 0;
  std::string detail;
  std::optional<MetricValue> value;
  double resource = 0;
  std::optional<double> milestone;
  int bracket = 0;
  std::int64_t reports = 0;
  int attempts = 0, retries = 0;
  Json params = Json::object();
  std::string method, reason;
  std::optional<Slot> slot;                   // Of the last attempt.
  bool excluded = false;
  std::string program;
  std::optional<Time> created, started, ended;
};

// What `status` shows, read without folding the log.
struct StudySummary {
  std::string id, name, folder;
  Json document;                              // The space file in force.
  Seq seq = 0;
  Time last_at{};                             // Of the last event.
  std::array<std::int64_t, 8> counts{};       // By TrialState.
  std::optional<TrialRow> best;
  Span running_time{0};                       // Up to last_at.
  std::int64_t slots = 0, slots_busy = 0;
  bool in_session = false;                    // A session began and did not end: running, or killed (no holder).
  int interruption = 0;
  std::optional<StudyEnded> ended;
  std::optional<StudyHolder> holder;          // The scheduler that runs it now.

  std::int64_t count(TrialState state) const { return counts[static_cast<std::size_t>(state)]; }
  std::int64_t trials() const;
};

// Errors as open_for_reading.
StudySummary read_summary(const std::filesystem::path& file);

// The last `count` trials by number, in the order of number; all of them without `count`.
std::vector<TrialRow> read_trials(const std::filesystem::path& file, std::optional<int> count = std::nullopt);

}  // namespace hpsearch
