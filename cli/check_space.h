#pragma once

#include <string>

#include "trials/spec.h"

namespace hpsearch {

// Reads a space file and checks all that can be checked before anything starts: the file, that some configuration
// obeys the constraints, that the program is there. UserError with every fault found.
StudySpec checked_space(const std::string& file, const std::string& hosts_file = "");

}  // namespace hpsearch
