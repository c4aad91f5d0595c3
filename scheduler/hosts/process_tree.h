#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hpsearch {

// Every process below `root`, `root` itself left out; zombies too.
std::vector<pid_t> descendants(pid_t root);

// Those that `parent` itself has started or adopted; zombies too.
std::vector<pid_t> children_of(pid_t parent);

// Living processes of this user that carry HPSEARCH_ATTEMPT_ID=`id` in the environment they were started with: an
// attempt's program and what it started, in any session. The caller is left out.
std::vector<pid_t> processes_of_attempt(const std::string& id);

// `pid` and the processes above it, nearest first; empty when it does not live here (zombies don't).
std::vector<pid_t> lineage(pid_t pid);

// The attempt in whose environment the process was started; empty: in none, or not for this user to know.
std::string attempt_of(pid_t pid);

// Sends `signal` to each process.
void signal_all(const std::vector<pid_t>& pids, int signal);

}  // namespace hpsearch
