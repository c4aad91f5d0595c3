#pragma once

#include <set>
#include <string>

#include "search/sampler.h"
#include "trials/random.h"

namespace hpsearch {

// Each trial drawn by itself, uniformly over each domain. Every parameter is drawn in the order of the space, active
// or not, so that a value depends only on (seed, trial, parameters above). Constraints by rejection: exhausted after
// 100,000 draws without an allowed one. Where no limit ends the study, a finite space is drawn from without replacement.
class RandomSampler : public Sampler {
 public:
  RandomSampler(const StudySpec& spec, std::uint64_t seed);

  void apply(const Event& event) override;
  SamplerAnswer suggest(const Study& study, int trial) const override;

 private:
  bool wanted(const Study& study, const Json& values) const;

  Space space_;
  bool finite_;
  std::uint64_t seed_;
  std::set<std::string> tried_;  // Configurations of a finite space, as text.
};

// One draw of every parameter; those whose `when` does not hold are left out. Constraints are not looked at.
Json drawn_values(const Space& space, RandomStream& random);

}  // namespace hpsearch
