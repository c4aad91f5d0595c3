#pragma once

#include <filesystem>

#include "dashboard/study_status.h"
#include "store/study_summary.h"

namespace hpsearch {

// What the store keeps beside the log, as the views take it.
TrialView view_of(const TrialRow& row);

// The study's status without folding its log. `now` is the system's.
StudyStatus read_status(const std::filesystem::path& folder);

}  // namespace hpsearch
