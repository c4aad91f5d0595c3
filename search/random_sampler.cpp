#include "search/random_sampler.h"

#include "search/encoding.h"

namespace hpsearch {
namespace {

constexpr int kDraws = 100'000;

bool ends_by_limit(const Limits& limits) { return limits.trials || limits.time || limits.gpu_hours || limits.cost; }

}  // namespace

Json drawn_values(const Space& space, RandomStream& random) {
  Json values = Json::object();
  for (const Param& param : space.params) {
    Json value = drawn(param.domain, random);
    if (space.active(param, values)) values[param.name] = std::move(value);
  }
  return values;
}

RandomSampler::RandomSampler(const StudySpec& spec, std::uint64_t seed)
    : space_(spec.space), size_(space_.size()), seed_(seed) {}

SamplerAnswer RandomSampler::suggest(const Study& study, int trial) const {
  const auto number = static_cast<std::uint64_t>(trial);
  if (size_ && number > *size_ && !ends_by_limit(study.spec().limits))
    return SamplerExhausted{"no limit is given, and there are as many trials as configurations"};
  RandomStream random(seed_, "random", number);
  for (int draw = 1; draw <= kDraws; ++draw) {
    Suggestion suggestion;
    suggestion.params = drawn_values(space_, random);
    if (!space_.allows(suggestion.params)) continue;
    suggestion.method = "random";
    suggestion.reason = "drawn at random";
    if (draw > 1) suggestion.reason += " (" + std::to_string(draw) + " draws to meet the constraints)";
    suggestion.unit = encoded(space_, suggestion.params);
    return suggestion;
  }
  return SamplerExhausted{"no new configuration that meets the constraints was found"};
}

}  // namespace hpsearch
