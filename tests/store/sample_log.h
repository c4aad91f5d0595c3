#pragma once

#include <string>
#include <vector>

#include "store/store.h"
#include "trials/study.h"

namespace hpsearch {

// At least one event of every kind, with the values that are hard to store. Not a log that folds.
std::vector<Event> every_kind_of_event();

// The log of a study of `trials` trials of which each reports `reports` times and completes. Folds.
std::vector<Event> study_log(int trials, int reports);

// `reports` events of one attempt, from `seq` on.
std::vector<Event> report_batch(Seq seq, int reports);

Study folded(const std::vector<Event>& log);

std::vector<Event> read_all(const Store& store);

// All that an event holds, as text: equal texts are equal events.
std::string description(const Event& event);
std::vector<std::string> descriptions(const std::vector<Event>& events);

}  // namespace hpsearch
