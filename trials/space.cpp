#include "trials/space.h"

#include <algorithm>

#include "trials/number.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

std::vector<std::string> names_of(const std::vector<Param>& params) {
  std::vector<std::string> names;
  for (const Param& param : params) names.push_back(param.name);
  return names;
}

std::optional<std::string> unknown_name(const Space& space, const Json& values) {
  for (const auto& [name, value] : values.items()) {
    if (!space.find(name))
      return "no parameter is called \"" + name + "\"" + did_you_mean(name, names_of(space.params));
  }
  return std::nullopt;
}

std::string needed(const Param& param) {
  std::string text;
  for (const Condition& condition : param.when) text += (text.empty() ? "" : " and ") + condition.text();
  return text;
}

std::optional<std::string> fault_of(const Space& space, const Param& param, const Json& values) {
  const bool given = values.contains(param.name);
  if (!space.active(param, values))
    return given ? std::optional(param.name + " is not active here: only when " + needed(param)) : std::nullopt;
  if (!given)
    return std::holds_alternative<FixedDomain>(param.domain) ? std::nullopt : std::optional(param.name + " is missing");
  if (const auto fault = domain_fault(param.domain, values[param.name])) return param.name + ": " + *fault;
  return std::nullopt;
}

// As far as the parents in `values` tell.
std::optional<std::string> partial_fault_of(const Param& param, const Json& values) {
  const auto given = values.find(param.name);
  if (given == values.end()) return std::nullopt;
  for (const Condition& condition : param.when) {
    const auto parent = values.find(condition.param);
    if (parent != values.end() && !condition.holds(*parent))
      return param.name + " is not active here: only when " + needed(param);
  }
  const auto fault = domain_fault(param.domain, *given);
  return fault ? std::optional(param.name + ": " + *fault) : std::nullopt;
}

std::optional<std::string> broken_rule(const Space& space, const Json& values) {
  for (const Constraint& constraint : space.constraints) {
    if (!constraint.holds(values)) return "the rule \"" + constraint.text() + "\" does not hold";
  }
  return std::nullopt;
}

}  // namespace

bool Condition::holds(const Json& value) const {
  const auto same = [&value](const Json& wanted) { return same_value(wanted, value); };
  if (!in.empty()) return std::any_of(in.begin(), in.end(), same);
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  return (!at_least || number >= *at_least) && (!at_most || number <= *at_most);
}

std::string Condition::text() const {
  if (in.size() == 1) return param + " is " + compact(in[0]);
  if (!in.empty()) return param + " is in " + compact(Json(in));
  const std::string low = at_least ? " >= " + format_number(*at_least) : "";
  const std::string high = at_most ? " <= " + format_number(*at_most) : "";
  return param + low + (at_least && at_most ? " and" : "") + high;
}

const Param* Space::find(const std::string& name) const {
  const auto named = [&name](const Param& param) { return param.name == name; };
  const auto found = std::find_if(params.begin(), params.end(), named);
  return found == params.end() ? nullptr : &*found;
}

bool Space::active(const Param& param, const Json& values) const {
  const auto holds = [&](const Condition& condition) {
    const auto value = values.find(condition.param);
    if (value != values.end()) return condition.holds(*value);
    // A fixed parameter may be left out of `values`, unless it is inactive itself, which it can't be.
    const Param* parent = find(condition.param);
    const auto* fixed = parent ? std::get_if<FixedDomain>(&parent->domain) : nullptr;
    return fixed && condition.holds(fixed->value);
  };
  return std::all_of(param.when.begin(), param.when.end(), holds);
}

bool Space::allows(const Json& values) const { return !broken_rule(*this, values); }

std::optional<std::string> Space::fault(const Json& values) const {
  if (!values.is_object()) return "a point is an object of parameters, as {\"lr\": 0.01}";
  if (auto unknown = unknown_name(*this, values)) return unknown;
  for (const Param& param : params) {
    if (auto wrong = fault_of(*this, param, values)) return wrong;
  }
  return broken_rule(*this, completed(values));
}

std::optional<std::string> Space::partial_fault(const Json& values) const {
  if (!values.is_object()) return "a point is an object of parameters, as {\"lr\": 0.01}";
  if (auto unknown = unknown_name(*this, values)) return unknown;
  for (const Param& param : params) {
    if (auto wrong = partial_fault_of(param, values)) return wrong;
  }
  return broken_rule(*this, completed(values));
}

Json Space::completed(const Json& values) const {
  Json point = Json::object();
  for (const Param& param : params) {
    const auto value = values.find(param.name);
    if (const auto* fixed = std::get_if<FixedDomain>(&param.domain)) point[param.name] = fixed->value;
    else if (value != values.end() && std::holds_alternative<FloatDomain>(param.domain))
      point[param.name] = value->get<double>();
    else if (value != values.end()) point[param.name] = *value;
  }
  return point;
}

Json Space::carried_over(const Json& values, const Space& before) const {
  Json point = Json::object();
  for (const Param& param : params) {
    const auto* fixed = std::get_if<FixedDomain>(&param.domain);
    const std::optional<Json> was = fixed ? std::optional(fixed->value) : param.was;
    if (values.contains(param.name)) point[param.name] = values[param.name];
    else if (was && !before.find(param.name) && active(param, point)) point[param.name] = *was;
  }
  return point;
}

}  // namespace hpsearch
