#pragma once

#include <string>

namespace hpsearch {

// `words` times 32 random bits from the system, in hexadecimal: names for studies and attempts that no other has.
std::string random_hex(int words);

}  // namespace hpsearch
