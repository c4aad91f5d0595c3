#pragma once

#include <filesystem>
#include <optional>

#include "scheduler/hosts/host_place.h"
#include "scheduler/hosts/launch.h"
#include "trials/study.h"

namespace hpsearch {

// Everything about an attempt as planned, but for its socket, with the paths of the host it runs on. Throws
// std::invalid_argument when the command names something unknown.
Launch launch_of(const Study& study, const AttemptPlanned& plan, const HostPlace& place);

// The place of this machine: the study's own folder, the space file's, what `host` says.
HostPlace local_place(const StudySpec& spec, const HostSpec& host, const std::filesystem::path& study_folder);

// The program's name when it does not depend on the trial, with the settings of a host.
std::optional<std::string> fixed_program(const StudySpec& spec, const Json& vars);

// The seed of a trial, the same for each of its attempts: 31 bits, for programs that read an int.
std::uint64_t trial_seed(const Study& study, int trial);

}  // namespace hpsearch
