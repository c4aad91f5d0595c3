#pragma once

#include <cstdint>
#include <filesystem>

namespace hpsearch {

struct RescueReport {
  std::int64_t events = 0, reports = 0;  // Written; reports are not among events.
  std::int64_t trials = 0, lost_trials = 0;
  std::int64_t unreadable = 0;           // Rows found that don't read.
  std::int64_t missing = 0;              // Events whose place in the log is empty.
  std::int64_t dropped = 0;              // Readable, but of no use without what is missing.
};

// Makes a new study at `to` of what can be read in the damaged one, which stays as it is. UserError when `to` exists
// or when `damaged` can't be opened; DamagedStudy when nothing can be built from it.
RescueReport rescue(const std::filesystem::path& damaged, const std::filesystem::path& to);

}  // namespace hpsearch
