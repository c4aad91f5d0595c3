#pragma once

#include <vector>

#include "trials/study.h"

namespace hpsearch {

// A log that folds again, made of the events that could still be read.
struct Salvaged {
  std::vector<Event> events;     // Numbered anew from 1.
  Study study;                   // Their fold.
  std::int64_t dropped = 0;      // Readable events left out because what they build on is lost.
  std::int64_t lost_trials = 0;  // Trials whose end is missing: cancelled, with the reason in their detail.
};

// `readable` in the order of the old seqs, holes allowed. A trial whose events don't join up is cut where they stop to
// and cancelled; a trial whose suggestion is lost keeps its number and holds nothing; trials without an end are cancelled
// too. Throws std::invalid_argument when the study's first event is lost, for then there is nothing to build on.
Salvaged salvage(std::vector<Event> readable);

}  // namespace hpsearch
