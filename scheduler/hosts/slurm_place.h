#pragma once

#include <filesystem>

#include "scheduler/hosts/launch.h"
#include "trials/study.h"

namespace hpsearch {

// Where the trials of a Slurm host live and what its jobs run: on a file system that the nodes share.
struct SlurmPlace {
  std::filesystem::path folder;              // The study's own, or one in the host's "dir". Exists.
  std::filesystem::path program;
  Span sight{30'000};                        // A file that was written elsewhere is seen here by then.
};

SlurmPlace slurm_place(const HostSpec& spec, const Study& study, const std::filesystem::path& study_folder,
                       const std::filesystem::path& program);

// An attempt's launch for a keeper inside a job. Throws as launch_of.
Launch launch_in_job(const Study& study, const AttemptPlanned& plan, const HostSpec& host, const SlurmPlace& place);

}  // namespace hpsearch
