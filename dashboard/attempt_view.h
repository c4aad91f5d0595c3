#pragma once

#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// How an attempt stands or ended: "running", "exit 7", "signal KILL", "paused", "timed out", ...
std::string attempt_state(const Attempt& attempt);

// "local:0", with devices "local:0 (0,1)".
std::string slot_text(const Slot& slot);

// A table of a trial's attempts, then the last log lines of those that went wrong. `folders` has one path an attempt.
std::string attempts_text(const Trial& trial, const std::vector<std::string>& folders);
Json attempts_json(const Trial& trial, const std::vector<std::string>& folders);

}  // namespace hpsearch
