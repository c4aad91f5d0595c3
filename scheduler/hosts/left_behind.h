#pragma once

#include <string>

#include "scheduler/hosts/attempt_link.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

// What can still be learnt of an attempt whose keeper does not answer, from its folder.
enum class KeeperTrace {
  never_started,  // No keeper ever ran.
  running,        // Its lock is held: a keeper lives.
  ended,          // exit.json is there.
  gone,           // It ran, and left no exit.json.
};
KeeperTrace keeper_trace(const AttemptFolder& folder);

// Pushes the reports after line `seen`, and the end if exit.json has it. Returns whether it had.
bool collect_left_behind(const AttemptFolder& folder, AttemptName name, std::uint64_t seen, const std::string& metric,
                         FactQueue& facts);

}  // namespace hpsearch
