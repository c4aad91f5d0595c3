#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "scheduler/hosts/launch.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

// The program could not be started: "command not found: train".
class LaunchFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One of the processes that make up an attempt.
struct TrialRank {
  int rank = 0, count = 1;
  int port = 0;  // Where rank 0 may listen for the others.
};

// How many processes the attempt is to have: one for each of its devices with `per_gpu`, at least one.
int rank_count(const Launch& launch);

// The environment that trial protocol version 1 promises, on top of this process's own.
std::vector<std::string> trial_environment(const Launch& launch, const AttemptFolder& folder, const TrialRank& rank);

// A shell that runs `setup` and, unless that fails, `then`, with `args` as "$1", "$2", ...: a login shell, bash where there is
// one, since `module` and `conda` are functions of these. Its exit status is that of the one that failed.
std::vector<std::string> setup_command(const std::string& setup, const std::string& then, const std::vector<std::string>& args);

// Starts the attempt's program or one rank of it, leader of its own process group, with nothing on standard input. Returns its pid.
// Throws LaunchFault.
pid_t start_trial(const Launch& launch, const AttemptFolder& folder, int output, int errors, const TrialRank& rank = {});

}  // namespace hpsearch
