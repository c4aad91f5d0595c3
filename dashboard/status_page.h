#pragma once

#include "dashboard/study_status.h"

namespace hpsearch {

// What to type next; `study` is how this study is named on a command line.
std::vector<std::string> next_steps(const StudyStatus& status, const std::string& study);

std::string status_text(const StudyStatus& status, const std::string& study);
Json status_json(const StudyStatus& status, const std::string& study);

}  // namespace hpsearch
