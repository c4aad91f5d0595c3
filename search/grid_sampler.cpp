#include "search/grid_sampler.h"

#include "search/encoding.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

// Configurations that constraints may cut away between two allowed ones before the grid counts as used up.
constexpr std::uint64_t kPatience = 10'000'000;

}  // namespace

std::uint64_t grid_points(const StudySpec& spec) {
  const Json& options = spec.search.sampler.options;
  if (!options.contains("points")) return 10;
  const Json& points = options.at("points");
  if (!points.is_number_integer() || points.get<std::int64_t>() < 1)
    throw UserError("search.sampler.points: must be a whole number of at least 1");
  return points.get<std::uint64_t>();
}

GridSampler::GridSampler(const StudySpec& spec) : space_(spec.space), grid_(space_, grid_points(spec)) {
  std::uint64_t patience = kPatience;
  next_ = grid_.first(patience);
}

void GridSampler::apply(const Event& event) {
  const auto* suggested = event_as<TrialSuggested>(event);
  if (!suggested || suggested->suggestion.method != "grid") return;
  ++given_;
  // A point of another grid: the space file was changed since.
  const auto point = grid_.locate(suggested->suggestion.params);
  if (!point) return;
  std::uint64_t patience = kPatience;
  next_ = grid_.after(*point, patience);
}

SamplerAnswer GridSampler::suggest(const Study&, int) const {
  if (!next_) return SamplerExhausted{kEverythingTried};
  Suggestion suggestion;
  suggestion.params = next_->values;
  suggestion.unit = encoded(space_, next_->values);
  suggestion.method = "grid";
  suggestion.reason = "grid point " + std::to_string(given_ + 1);
  return suggestion;
}

}  // namespace hpsearch
