#pragma once

#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// Progress for files and pipes: plain lines of at most kPlainWidth columns, without control characters. One at each
// trial's end, at most one of progress in kProgressEvery of the log's time, one at the session's end that names the best.
class PlainLines {
 public:
  // `study` has applied `events`.
  std::vector<std::string> lines(const Study& study, const std::vector<Event>& events);

 private:
  bool progress_due(Time now);

  std::optional<Time> last_progress_;
};

inline constexpr std::size_t kPlainWidth = 180;
inline constexpr Span kProgressEvery{10'000};

}  // namespace hpsearch
