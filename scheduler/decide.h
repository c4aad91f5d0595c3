#pragma once

#include <optional>

#include "search/pruner.h"
#include "search/sampler.h"
#include "trials/study.h"

namespace hpsearch {

struct Policy {
  Sampler& sampler;
  Pruner& pruner;
};

// The next thing to do about the study as it stands at `now`; none when there is nothing to do until the next fact.
// Pure: the same prefix of the log and the same `now` give the same decision. AttemptPlanned::id is left empty.
std::optional<Decision> next_decision(const Study& study, const Policy& policy, Time now);

// When next_decision wants to be asked again if no fact comes first.
std::optional<Time> next_wake(const Study& study, Time now);

}  // namespace hpsearch
