#pragma once

#include <string>
#include <vector>

#include "dashboard/study_status.h"

namespace hpsearch {

// What the live view shows: a copy, so that it can be drawn while the study goes on.
struct LiveSnapshot {
  StudyStatus status;
  Time taken_at{};
  bool ticking = true;                         // Running time goes on since `taken_at`.
  std::vector<std::string> running;            // One line a running trial, in the order of number.
  std::string word;                            // About an interruption; empty for none.
};

LiveSnapshot live_snapshot(const Study& study, Time now);

// At most `height` lines of at most `width` columns each.
std::vector<std::string> live_frame(LiveSnapshot snapshot, Time now, std::size_t width, std::size_t height);

}  // namespace hpsearch
