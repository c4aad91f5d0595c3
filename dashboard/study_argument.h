#pragma once

#include <filesystem>
#include <string>

namespace hpsearch {

// How a study's folder is named on a command line typed here: its name, with --dir where it lies elsewhere.
std::string study_argument(const std::filesystem::path& folder);

}  // namespace hpsearch
