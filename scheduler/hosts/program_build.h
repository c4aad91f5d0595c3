#pragma once

#include <filesystem>
#include <string>

namespace hpsearch {

// What tells one build of the program from any other: hex digits made from its contents.
std::string program_build(const std::filesystem::path& program);

}  // namespace hpsearch
