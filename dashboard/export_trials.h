#pragma once

#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// One row a trial of every state, in the order of number. Columns are the same in every state of a study: the fixed
// ones, then one a parameter in the order of the space ("params.NAME", empty where inactive).
std::vector<std::string> export_columns(const Study& study);
std::string export_csv(const Study& study);
Json export_json(const Study& study);

}  // namespace hpsearch
