#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dashboard/trial_view.h"

namespace hpsearch {

enum class StudyPhase { not_started, running, interrupted, finished };

// The scheduler that holds a study.
struct StatusHolder {
  std::int64_t pid = 0;
  std::string host;
  Time since{};
};

// What `status` says about a study, however it was read.
struct StudyStatus {
  std::string name, folder;                    // `folder` is the study's directory.
  StudyPhase phase = StudyPhase::not_started;
  bool killed = false;                         // Interrupted without having been able to say so.
  std::optional<StatusHolder> holder;
  std::optional<StudyEnded> ended;
  std::string metric, goal, resource;          // `resource` is empty for a study without one.
  std::array<std::int64_t, 8> counts{};        // By TrialState.
  std::optional<TrialView> best;
  std::int64_t slots = 0, slots_busy = 0;
  Span running_time{0};
  std::optional<std::int64_t> trial_limit;
  std::optional<Span> time_limit;
  bool spends = false;                         // What it spends is worth looking at: spending_text.

  std::int64_t trials() const;
  std::int64_t count(TrialState state) const { return counts[static_cast<std::size_t>(state)]; }
  std::optional<std::int64_t> trials_left() const;  // Not yet created.
  std::optional<Span> time_left() const;
};

// As it stands inside the scheduler. `study` is created.
StudyStatus status_of(const Study& study, Time now);

// "12 completed, 3 running": states that occur, in a fixed order; "none yet" for no trial.
std::string counts_text(const StudyStatus& status);
// "trial 7: val_accuracy 0.912 at epoch 27 (completed)"; "none yet" without one.
std::string best_line(const StudyStatus& status);
// "12m of 2h, 1h 48m left"; without a limit the running time.
std::string time_text(const StudyStatus& status);
std::string trials_text(const StudyStatus& status);

}  // namespace hpsearch
