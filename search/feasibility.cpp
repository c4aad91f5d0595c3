#include "search/feasibility.h"

#include <algorithm>
#include <vector>

#include "search/grid_sampler.h"
#include "search/random_sampler.h"

namespace hpsearch {
namespace {

constexpr std::uint64_t kSearched = 1'000'000;
constexpr std::uint64_t kBudget = 4 * kSearched;  // Partly set configurations count too.
constexpr std::uint64_t kProbes = 200'000;

std::string quoted_rules(const Space& space, const std::vector<bool>& named) {
  std::string text;
  for (std::size_t c = 0; c < named.size(); ++c)
    if (named[c]) text += (text.empty() ? "\"" : ", \"") + space.constraints[c].text() + "\"";
  return text;
}

// `never` marks the constraints that failed by themselves.
std::string message(const Space& space, const std::string& tried, std::vector<bool> never) {
  const std::string start = "no allowed point found in " + tried + "; ";
  const auto count = std::count(never.begin(), never.end(), true);
  if (count == 0) {
    never.assign(never.size(), true);
    return start + "the constraints " + quoted_rules(space, never) + " were never met together";
  }
  return start + (count == 1 ? "constraint " : "constraints ") + quoted_rules(space, never) + " never held";
}

std::optional<std::string> by_search(const Space& space, std::uint64_t points, std::uint64_t& budget) {
  if (Grid(space, points).first(budget) || budget == 0) return std::nullopt;
  std::vector<bool> never;
  for (std::size_t c = 0; c < space.constraints.size(); ++c) {
    std::uint64_t alone = kBudget;
    never.push_back(!Grid(space, points, {c}).first(alone) && alone > 0);
  }
  return message(space, "the whole space", never);
}

std::optional<std::string> by_draws(const Space& space) {
  RandomStream random(0, "feasibility", 0);
  std::vector<bool> never(space.constraints.size(), true);
  for (std::uint64_t draw = 0; draw < kProbes; ++draw) {
    const Json values = drawn_values(space, random);
    bool allowed = true;
    for (std::size_t c = 0; c < never.size(); ++c) {
      const bool held = space.constraints[c].holds(values);
      if (held) never[c] = false;
      allowed = allowed && held;
    }
    if (allowed) return std::nullopt;
  }
  return message(space, std::to_string(kProbes) + " draws", never);
}

}  // namespace

std::optional<std::string> infeasible(const StudySpec& spec) {
  const Space& space = spec.space;
  if (space.constraints.empty() || space.params.empty()) return std::nullopt;
  const auto size = space.size();
  const bool grid = spec.search.sampler.type == "grid";
  if (!grid && (!size || *size > kSearched)) return by_draws(space);
  std::uint64_t budget = kBudget;
  return by_search(space, grid ? grid_points(spec) : 10, budget);
}

}  // namespace hpsearch
