#include "search/asha_options.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "trials/user_error.h"

namespace hpsearch {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& rule) {
  throw UserError("search.pruner." + key + ": " + rule);
}

double number_option(const Json& options, const std::string& key, double otherwise) {
  if (!options.contains(key)) return otherwise;
  if (!options.at(key).is_number()) refuse(key, "must be a number");
  return options.at(key).get<double>();
}

// True for the second of two words.
bool second_word(const Json& options, const std::string& key, const std::string& first, const std::string& second,
                 bool otherwise) {
  if (!options.contains(key)) return otherwise;
  if (options.at(key) == first) return false;
  if (options.at(key) == second) return true;
  refuse(key, "must be \"" + first + "\" or \"" + second + "\"");
}

std::vector<std::int64_t> listed_levels(const Json& levels) {
  const auto whole = [](const Json& level) { return level.is_number_integer(); };
  if (!levels.is_array() || !std::all_of(levels.begin(), levels.end(), whole))
    refuse("levels", "must be a list of whole numbers");
  return levels.get<std::vector<std::int64_t>>();
}

Ladder ladder_of(const Json& options, const Resource& resource, double eta) {
  const bool listed = options.contains("levels");
  const auto top = static_cast<std::int64_t>(resource.max);
  try {
    if (listed) return Ladder::listed(listed_levels(options.at("levels")), top);
    const double lowest = number_option(options, "min", resource.min);
    return Ladder::geometric(static_cast<std::int64_t>(lowest), top, eta);
  } catch (const std::invalid_argument& error) {
    refuse(listed ? "levels" : "eta", error.what());
  }
}

std::optional<std::int64_t> smallest_count(const Json& options) {
  if (!options.contains("n_min")) return std::nullopt;
  const Json& n = options.at("n_min");
  if (!n.is_number_integer() || n.get<std::int64_t>() < 1) refuse("n_min", "must be a whole number of at least 1");
  return n.get<std::int64_t>();
}

}  // namespace

std::int64_t AshaOptions::fewest(std::size_t rung) const {
  if (n_min) return *n_min;
  if (!listed) return static_cast<std::int64_t>(std::ceil(std::min(eta, 1e18)));
  return (ladder.above(rung) - 1) / ladder.level(rung) + 1;
}

std::int64_t AshaOptions::kept(std::int64_t n, std::size_t rung) const {
  switch (variant) {
    case AshaVariant::promote:
      if (!round_up) return ladder.kept(n, rung);
      return n == 1 ? 0 : ladder.kept_rounded_up(n, rung);
    case AshaVariant::stop:
      return n < fewest(rung) ? n : std::max<std::int64_t>(1, ladder.kept(n, rung));
  }
  return 0;
}

AshaOptions asha_options(const StudySpec& spec) {
  if (!spec.resource) throw UserError("search.pruner: asha needs \"resource\", what a trial spends");
  const Json& options = spec.search.pruner.options;
  const double eta = number_option(options, "eta", 3);
  const bool stops = second_word(options, "variant", "promote", "stop", !spec.trial.checkpoint);
  return {.ladder = ladder_of(options, *spec.resource, eta),
          .variant = stops ? AshaVariant::stop : AshaVariant::promote,
          .goal = *spec.metric().goal,
          .resource = spec.resource->name,
          .listed = options.contains("levels"),
          .eta = eta,
          .n_min = smallest_count(options),
          .round_up = second_word(options, "promote_rounding", "floor", "ceil", false),
          .exact = second_word(options, "milestone", "first", "exact", false)};
}

}  // namespace hpsearch
