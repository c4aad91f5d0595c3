#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// Numbers of the trials that rank, best first, at most `top`. By the rule of `best`: completed ones first, then by
// resource reached, then by value; of equals the earlier trial.
std::vector<int> ranking(const Study& study, std::size_t top);

// A trial that was not run to the end though its value beats every completed one's; the best of them.
std::optional<int> better_unfinished(const Study& study);
// That trial in one sentence; empty when there is none.
std::string better_unfinished_note(const Study& study);

// "trial 7: val_accuracy 0.912 at epoch 27 (completed)" and its parameters, exact, one a line.
std::string best_text(const Study& study, int trial);
// A table, in the order given.
std::string ranking_table(const Study& study, const std::vector<int>& trials);
Json ranking_json(const Study& study, const std::vector<int>& trials);

}  // namespace hpsearch
