#pragma once

#include <optional>

#include "search/sampler.h"
#include "trials/random.h"

namespace hpsearch {

// Each trial drawn by itself, uniformly over each domain. Every parameter is drawn in the order of the space, active
// or not, so that a value depends only on (seed, trial, parameters above). Constraints by rejection: exhausted after
// 100,000 draws without an allowed one, and, where no limit ends the study, after as many trials as a finite space
// has configurations.
class RandomSampler : public Sampler {
 public:
  RandomSampler(const StudySpec& spec, std::uint64_t seed);

  void apply(const Event&) override {}
  SamplerAnswer suggest(const Study& study, int trial) const override;

 private:
  Space space_;
  std::optional<std::uint64_t> size_;
  std::uint64_t seed_;
};

// One draw of every parameter; those whose `when` does not hold are left out. Constraints are not looked at.
Json drawn_values(const Space& space, RandomStream& random);

}  // namespace hpsearch
