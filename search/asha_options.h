#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "search/ladder.h"
#include "trials/spec.h"

namespace hpsearch {

enum class AshaVariant { promote, stop };

// What the space file says about ASHA, resolved: {"type": "asha", "eta": 3, "min": 1 (the lowest rung; default
// resource.min) or "levels": [1, 5, 20], "variant": "promote" | "stop", "n_min": 3, "promote_rounding": "floor" |
// "ceil", "milestone": "first" | "exact"}.
struct AshaOptions {
  Ladder ladder;
  AshaVariant variant = AshaVariant::stop;
  Goal goal = Goal::minimize;
  std::string resource;                // Its name, for messages.
  bool listed = false;                 // The levels are the user's own list.
  double eta = 3;
  std::optional<std::int64_t> n_min;   // Stop variant: a rung with fewer entries stops nobody.
  bool round_up = false;               // Promote variant: how many a rung keeps.
  bool exact = false;                  // A report that jumps over a level ends its trial.

  std::int64_t fewest(std::size_t rung) const;                  // n_min, or by default one full step of the ladder.
  std::int64_t kept(std::int64_t n, std::size_t rung) const;    // By the rules of the variant.
};

// The variant is promote where trials write checkpoints and stop elsewhere, unless the file says otherwise.
// Throws UserError naming the key of a wrong option, or when the study has no resource.
AshaOptions asha_options(const StudySpec& spec);

}  // namespace hpsearch
