#pragma once

#include <optional>
#include <string>

#include "trials/study.h"

namespace hpsearch {

// What a trial's next attempt goes on from.
struct Continuation {
  int attempt = 0;               // 0: it begins anew.
  std::string checkpoint;        // Its name in that attempt's folder; may be empty.
  std::string host;              // Where it lies.
};

// The latest checkpoint of the trial that can be had: from a host that is up, or brought here before. None while it lies
// on a host that may come back: the trial waits for that one, unless it was given up there.
std::optional<Continuation> continuation(const Study& study, const Trial& trial);

}  // namespace hpsearch
