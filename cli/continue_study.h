#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/verb.h"
#include "trials/spec.h"

namespace hpsearch {

struct ContinueOptions {
  std::string study;                            // Empty, a name, or a space file that may have changed.
  std::optional<std::int64_t> trials;           // In all.
  std::optional<std::int64_t> more_trials;      // Beyond those it has.
  std::string time;                             // In all, "3h".
  std::string hosts;                            // A hosts file.
  bool detach = false;
};

// Goes on with an existing study, applying what has changed. Returns the exit status.
int continue_study(const CommonOptions& common, const ContinueOptions& options);

}  // namespace hpsearch
