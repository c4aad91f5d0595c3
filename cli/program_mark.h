#pragma once

#include <string>

#include "trials/spec.h"

namespace hpsearch {

// A fingerprint of what a study runs: the command, and the contents of the program and of every argument that names
// a file (large files by size and time). 16 hexadecimal digits. It marks trials, so that those of an edited program
// can be told apart; it guards against nothing.
std::string program_mark(const StudySpec& spec);

}  // namespace hpsearch
