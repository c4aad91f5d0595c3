#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/verb.h"

namespace hpsearch {

// The folder that holds studies: --dir, HPSEARCH_DIR, or hpsearch-studies under the working folder. Absolute.
std::filesystem::path studies_folder(const CommonOptions& common);

// The folder of an existing study. `study` may be empty (the only study here), a name, or a space file whose study is
// meant. UserError when there is none or more than one, listing them.
std::filesystem::path study_folder(const CommonOptions& common, const std::string& study);

// Names of the studies here, sorted.
std::vector<std::string> study_names(const CommonOptions& common);

}  // namespace hpsearch
