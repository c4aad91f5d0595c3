#pragma once

#include <string>
#include <vector>

#include "trials/json.h"

namespace hpsearch {

// "lr=0.01", "opt=sgd", "shape=[64,32]": values are JSON where they parse as such, else text. UserError on a word
// without "=" and on a name given twice.
Json parse_assignments(const std::vector<std::string>& words);

}  // namespace hpsearch
