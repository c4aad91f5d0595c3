#include "cli/repeat_command.h"

#include <algorithm>

#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/launch_plan.h"
#include "scheduler/hosts/trial_folders.h"
#include "trials/number.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

const std::string kPort = "29500";  // That of torchrun.

// An attempt that runs from the start to where the trial is now.
AttemptPlanned whole_run(const Study& study, const Trial& trial) {
  AttemptPlanned plan;
  plan.trial = trial.number;
  plan.attempt = trial.attempts.empty() ? 1 : trial.attempts.back().number;
  if (!study.spec().resource) return plan;
  const bool whole = trial.state == TrialState::completed || trial.resource <= 0;
  plan.milestone = whole ? study.spec().resource->max : trial.resource;
  return plan;
}

// As hpsearch finds it and the shell would not.
std::string program_name(const Launch& launch) {
  const std::string& name = launch.argv.front();
  const auto found = find_program(name, launch.folder);
  if (!found) return name;
  const bool here = launch.cwd == launch.folder;
  if (name.find('/') != std::string::npos) return here ? name : found->string();
  if (found->parent_path() == fs::path(launch.folder)) return here ? "./" + name : found->string();
  return found->parent_path() == program_folder() ? found->string() : name;
}

std::map<std::string, std::string> environment(const Launch& launch, const AttemptFolder& folder) {
  std::map<std::string, std::string> env{{"OMP_NUM_THREADS", std::to_string(launch.threads)}};
  for (const auto& [name, value] : launch.env) env[name] = value;
  env["HPSEARCH_TRIAL"] = std::to_string(launch.trial);
  env["HPSEARCH_SEED"] = std::to_string(launch.seed);
  env["HPSEARCH_PARAMS"] = folder.params().string();
  if (launch.resource) env["HPSEARCH_RESOURCE"] = format_number(*launch.resource);
  if (launch.resource_max) env["HPSEARCH_RESOURCE_MAX"] = format_number(*launch.resource_max);
  return env;
}

}  // namespace

// The line once for each GPU, with the variables that a keeper sets; fails when one of them does.
std::string ranks_line(const std::string& line, int count) {
  std::string ranks;
  for (int rank = 0; rank < count; ++rank) ranks += " " + std::to_string(rank);
  const std::string world = std::to_string(count);
  return "(export WORLD_SIZE=" + world + " LOCAL_WORLD_SIZE=" + world + " MASTER_ADDR=127.0.0.1 MASTER_PORT=" +
         kPort + "; PIDS= STATUS=0; for RANK in" + ranks + "; do export RANK LOCAL_RANK=$RANK; " + line + " & PIDS=\"$PIDS $!\"; done; for PID in $PIDS; do wait $PID || STATUS=$?; done; exit $STATUS)";
}

std::string repeat_command(const Study& study, const Trial& trial, const fs::path& folder) {
  const AttemptPlanned plan = whole_run(study, trial);
  Launch launch = launch_of(study, plan, local_place(study.spec(), HostSpec{}, folder));
  launch.argv.front() = program_name(launch);
  const int ranks = launch.per_gpu ? static_cast<int>(study.spec().trial.gpus.value_or(1)) : 1;
  launch.threads = std::max(1, launch.threads / ranks);
  const std::string line = shell_line(launch.argv, environment(launch, attempt_folder(folder, plan.trial, plan.attempt)), launch.cwd);
  return ranks > 1 ? ranks_line(line, ranks) : line;
}

}  // namespace hpsearch
