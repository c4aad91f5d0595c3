#pragma once

#include <string>

#include "trials/study.h"

namespace hpsearch {

// What a session leaves on standard output: how the study stands, the rung table, the best configuration with its
// level, where the study lies (`folder`) and what to type next. The last line names the best.
std::string final_summary(const Study& study, const std::string& folder);

}  // namespace hpsearch
