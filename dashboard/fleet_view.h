#pragma once

#include <string>

#include "trials/study.h"

namespace hpsearch {

// A study's hosts and units, which trial holds what, why nothing starts where nothing does, and what was spent.
std::string fleet_text(const Study& study, Time now);
Json fleet_json(const Study& study, Time now);

}  // namespace hpsearch
