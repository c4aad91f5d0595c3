#pragma once

#include "trials/study.h"

namespace hpsearch {

// What the end of a trial's current attempt means for the trial (DESIGN "States"): pure, from the log alone.
// The attempt has ended and is not settled.
TrialSettled settle(const Study& study, const Trial& trial);

}  // namespace hpsearch
