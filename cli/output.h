#pragma once

#include <string_view>

namespace hpsearch {

// Writes to standard output. False once nobody reads it any more, which is not an error (`| head -1`); throws
// std::runtime_error when the machine fails, for instance on a full disk.
bool print(std::string_view text);

}  // namespace hpsearch
