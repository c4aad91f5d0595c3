#pragma once

#include <filesystem>

#include "scheduler/hosts/launch.h"
#include "trials/study.h"

namespace hpsearch {

// Everything about an attempt as planned, but for its socket. `study_folder` is absolute. Throws std::invalid_argument
// when the command names something unknown.
Launch launch_of(const Study& study, const AttemptPlanned& plan, const std::filesystem::path& study_folder);

// The seed of a trial, the same for each of its attempts: 31 bits, for programs that read an int.
std::uint64_t trial_seed(const Study& study, int trial);

}  // namespace hpsearch
