#pragma once

#include <memory>
#include <string>
#include <variant>

#include "trials/study.h"

namespace hpsearch {

struct SamplerWait {};        // Ask again after the next fact.
inline constexpr const char* kEverythingTried = "every configuration has been tried";

struct SamplerExhausted {     // No new configuration will ever come.
  std::string reason;         // "every configuration has been tried"
};

using SamplerAnswer = std::variant<Suggestion, SamplerWait, SamplerExhausted>;

// Decides what to try next. State is a fold of the log (`apply`), nothing else; suggest changes nothing and draws
// only from streams keyed by (study seed, purpose, trial). Running trials are visible in `study`.
class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual void apply(const Event& event) = 0;
  virtual SamplerAnswer suggest(const Study& study, int trial) const = 0;
};

// For spec.search.sampler.type: random, grid, auto (random until model-based samplers come).
// Throws UserError for a sampler that can't serve this space.
std::unique_ptr<Sampler> make_sampler(const StudySpec& spec, std::uint64_t seed);

}  // namespace hpsearch
