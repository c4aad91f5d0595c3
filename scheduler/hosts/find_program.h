#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hpsearch {

// Where command[0] lies: an absolute path as it is, one with a slash from `folder`, a plain name in `folder`, then
// beside the running hpsearch, then on PATH. None when no executable file is found there.
std::optional<std::filesystem::path> find_program(const std::string& name, const std::filesystem::path& folder);

// The same, PATH left out.
std::optional<std::filesystem::path> find_program_near(const std::string& name, const std::filesystem::path& folder);

// The running executable.
std::filesystem::path self_program();

// Folder of the running executable.
std::filesystem::path program_folder();

}  // namespace hpsearch
