#pragma once

#include <string>

#include "cli/verb.h"
#include "trials/event.h"

namespace hpsearch {

// Adds the user's fact to a study: through its scheduler when one runs, else straight into the log. UserError when the
// fact is refused. Says what has to follow for the study to act on it: "" where a scheduler runs.
std::string change_study(const CommonOptions& common, const std::string& study, const Fact& fact);

}  // namespace hpsearch
