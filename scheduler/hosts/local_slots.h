#pragma once

#include <vector>

#include "trials/spec.h"
#include "trials/event.h"

namespace hpsearch {

// The slots that a study has on this machine: as many as its host entries say, else cores / trial.cpus (at least 1).
std::vector<Slot> local_slots(const StudySpec& spec);

}  // namespace hpsearch
