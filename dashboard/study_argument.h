#pragma once

#include <filesystem>
#include <string>

namespace hpsearch {

// How a study's folder is named on a command line typed here: its name, with --dir where it lies elsewhere.
std::string study_argument(const std::filesystem::path& folder);

// How this program is named there: "hpsearch" where PATH finds it, else its own path.
std::string program_argument();

}  // namespace hpsearch
