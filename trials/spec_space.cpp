#include <algorithm>
#include <stdexcept>

#include "trials/constraint_lexer.h"
#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {


void check_name(const Field& param, const std::string& name) {
  if (name.empty()) param.fault("a parameter's name must not be empty");
  if (std::any_of(name.begin(), name.end(), control_character)) param.fault("a name has no control characters");
  if (template_word(name)) param.fault("{" + name + "} has a meaning in commands; choose another name");
}

// A group is an object of parameters where a parameter is expected.
bool group(const Json& value) {
  if (!value.is_object() || value.contains("type") || value.contains("choices")) return false;
  return std::any_of(value.items().begin(), value.items().end(),
                     [](const auto& member) { return member.key() != "when" && member.value().is_object(); });
}

void check_group(const Field& param, const ParamScope& scope) {
  param.fault("a group one level too deep: parameters stand directly in \"params\" and have no groups");
  for (const Field& inner : param.members("a parameter")) {
    if (inner.value().is_object() && !group(inner.value())) read_typed_param(inner, scope);
  }
}

Param read_param(const Field& param, const ParamScope& above) {
  const Json& value = param.value();
  if (value.is_object()) return read_typed_param(param, above);
  if (value.is_array()) return {param.key(), ChoiceDomain{read_choices(param), false}, {}};
  param.passable();
  return {param.key(), FixedDomain{value}, {}};
}

std::string column_of(const std::string& rule, const std::string& name) {
  for (const ConstraintToken& token : constraint_tokens(rule)) {
    if (token.kind == TokenKind::name && token.text == name) return "column " + std::to_string(token.column) + ": ";
  }
  return "";
}

std::optional<Constraint> read_constraint(const Field& field, const ParamScope& scope) {
  const auto rule = field.text();
  if (!rule) return std::nullopt;
  try {
    Constraint constraint(*rule);
    for (const std::string& name : constraint.names()) {
      if (!scope.has(name))
        field.fault(shown(field.value()) + ": " + column_of(*rule, name) + "no parameter is called \"" + name + "\"" +
                    did_you_mean(name, scope.all));
    }
    return constraint;
  } catch (const std::invalid_argument& error) {
    field.fault(shown(field.value()) + ": " + error.what());
    return std::nullopt;
  }
}

}  // namespace

bool ParamScope::has(const std::string& name) const { return std::find(all.begin(), all.end(), name) != all.end(); }

void read_params(const Fields& root, Space& space, ParamScope& scope) {
  const auto params = root.require("params", R"({"lr": {"type": "float", "low": 1e-4, "high": 0.1, "log": true}})");
  if (!params) return;
  params->refuse_empty("there must be at least one parameter");
  const auto members = params->members("an object of parameters, as {\"lr\": [0.1, 0.01]}");
  for (const Field& param : members) scope.all.push_back(param.key());
  for (const Field& param : members) {
    const std::size_t before = param.faults().size();
    check_name(param, param.key());
    if (group(param.value())) check_group(param, scope);
    else space.params.push_back(read_param(param, scope));
    if (param.faults().size() != before) scope.faulty.insert(param.key());
  }
}

std::vector<Constraint> read_constraints(const Fields& root, const ParamScope& scope) {
  std::vector<Constraint> constraints;
  const auto field = root.find("constraints");
  if (!field) return constraints;
  for (const Field& item : field->items("a list of rules, as [\"a <= b\"]")) {
    if (auto constraint = read_constraint(item, scope)) constraints.push_back(std::move(*constraint));
  }
  return constraints;
}

std::vector<Json> read_enqueued(const Fields& root, const ParamScope& scope) {
  std::vector<Json> points;
  const auto field = root.find("enqueue");
  if (!field) return points;
  for (const Field& item : field->items("a list of points, as [{\"lr\": 0.01}]")) {
    const auto fault = scope.faulty.empty() ? scope.space.partial_fault(item.value()) : std::nullopt;
    if (fault) item.fault(*fault);
    points.push_back(item.value());
  }
  return points;
}

}  // namespace hpsearch
