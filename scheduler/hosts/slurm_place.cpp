#include "scheduler/hosts/slurm_place.h"

#include <cstdlib>

#include "scheduler/hosts/launch_plan.h"
#include "scheduler/hosts/slurm_text.h"
#include "store/file_system.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr Span kSightOnNetwork{30'000}, kSightHere{2'000};

fs::path slurm_study_folder(const HostSpec& spec, const Study& study, const fs::path& study_folder) {
  if (spec.dir.empty()) return fs::absolute(study_folder);
  const char* home = std::getenv("HOME");
  const fs::path dir = spec.dir.starts_with("~/") && home ? fs::path(home) / spec.dir.substr(2) : fs::path(spec.dir);
  return fs::absolute(dir / (study.name() + "-" + study.id().substr(0, 8)));
}

}  // namespace

SlurmPlace slurm_place(const HostSpec& spec, const Study& study, const fs::path& study_folder, const fs::path& program) {
  const fs::path folder = slurm_study_folder(spec, study, study_folder);
  fs::create_directories(folder);
  return {folder, spec.program.empty() ? program : fs::path(spec.program),
          probe_file_system(folder).network.empty() ? kSightHere : kSightOnNetwork};
}

Launch launch_in_job(const Study& study, const AttemptPlanned& plan, const HostSpec& host, const SlurmPlace& place) {
  Launch launch = launch_of(study, plan, {place.folder, study.spec().folder, host.setup, host.env, host.vars});
  launch.given.emplace();
  if (study.spec().trial.checkpoint) launch.warning = job_warning(host.slurm);
  return launch;
}

}  // namespace hpsearch
