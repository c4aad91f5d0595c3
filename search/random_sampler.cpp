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
    : space_(spec.space), finite_(space_.size().has_value()), seed_(seed) {}

void RandomSampler::apply(const Event& event) {
  const auto* suggested = event_as<TrialSuggested>(event);
  if (finite_ && suggested) tried_.insert(compact(space_.completed(suggested->suggestion.params)));
}

bool RandomSampler::wanted(const Study& study, const Json& values) const {
  if (!space_.allows(values)) return false;
  return !finite_ || ends_by_limit(study.spec().limits) || !tried_.contains(compact(space_.completed(values)));
}

SamplerAnswer RandomSampler::suggest(const Study& study, int trial) const {
  const auto number = static_cast<std::uint64_t>(trial);
  RandomStream random(seed_, "random", number);
  for (int draw = 1; draw <= kDraws; ++draw) {
    Suggestion suggestion;
    suggestion.params = drawn_values(space_, random);
    if (!wanted(study, suggestion.params)) continue;
    suggestion.method = "random";
    suggestion.reason = "drawn at random";
    if (draw > 1) suggestion.reason += " (" + std::to_string(draw) + " draws to a new one that is allowed)";
    suggestion.unit = encoded(space_, suggestion.params);
    return suggestion;
  }
  return SamplerExhausted{finite_ ? kEverythingTried : "no new configuration that meets the constraints was found"};
}

}  // namespace hpsearch
