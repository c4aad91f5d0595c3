#include "search/user_point.h"

#include "search/encoding.h"
#include "trials/random.h"

namespace hpsearch {

namespace {

constexpr int kCompletions = 10'000;

Json completed(const Space& space, const Json& given, RandomStream& random) {
  Json values = Json::object();
  for (const Param& param : space.params) {
    Json value = drawn(param.domain, random);
    if (given.contains(param.name)) value = given[param.name];
    if (space.active(param, values)) values[param.name] = std::move(value);
  }
  return values;
}

bool holds_all(const Json& values, const Json& given) {
  for (const auto& [name, value] : given.items())
    if (!values.contains(name)) return false;
  return true;
}

}  // namespace

std::optional<Suggestion> user_point(const Space& space, const Json& given, std::uint64_t seed, int trial) {
  RandomStream random(seed, "user point", trial);
  for (int draw = 0; draw < kCompletions; ++draw) {
    Suggestion suggestion;
    suggestion.params = completed(space, given, random);
    if (!holds_all(suggestion.params, given) || space.fault(suggestion.params)) continue;
    suggestion.method = "enqueued";
    suggestion.reason = given.size() == suggestion.params.size() ? "asked for by the user"
                                                                 : "asked for by the user in part, the rest drawn at random";
    suggestion.unit = encoded(space, suggestion.params);
    return suggestion;
  }
  return std::nullopt;
}

std::optional<std::string> user_point_fault(const Space& space, const Json& given) {
  if (user_point(space, given, 0, 0)) return std::nullopt;
  RandomStream random(0, "user point", 0);
  const Json values = completed(space, given, random);
  if (auto fault = space.partial_fault(given)) return fault;
  if (auto fault = space.fault(values)) return fault;
  return "these values can't be active together";
}

}  // namespace hpsearch
