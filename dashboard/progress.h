#pragma once

#include <functional>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

struct ProgressOptions {
  bool quiet = false;                          // Warnings only.
  bool very_quiet = false;                     // Nothing.
  bool verbose = false;                        // Each decision with its reason too.
  bool no_color = false;
  int err_fd = 2;
};

// Called with a study and the events that it has just applied.
using Progress = std::function<void(const Study&, const std::vector<Event>&)>;

// What tells the user how a session goes: a live view on a terminal, plain lines elsewhere. Trials' output is never in
// it. Throws nothing; a closed descriptor silences it. After a SessionEnded event it writes nothing more.
Progress make_progress(const ProgressOptions& options);

}  // namespace hpsearch
