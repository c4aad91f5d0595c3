#pragma once

#include <filesystem>
#include <string>

#include "trials/study.h"

namespace hpsearch {

// One shell line that repeats a trial outside hpsearch: the same arguments, folder, environment of the space file and
// seed, in one go to the level that the trial reached. `folder` is the study's.
std::string repeat_command(const Study& study, const Trial& trial, const std::filesystem::path& folder);

}  // namespace hpsearch
