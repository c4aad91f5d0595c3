#pragma once

#include <string>

#include "trials/study.h"

namespace hpsearch {

// What was spent on which host and on which trials, what is left of the limits, and what stopping early saved. Empty for a
// study that has spent nothing.
std::string spending_text(const Study& study, Time now);
Json spending_json(const Study& study, Time now);

// Whether that is worth a user's time: money or GPU-hours are limited or paid for, or there are several hosts.
bool spends(const StudySpec& spec);

}  // namespace hpsearch
