#include <algorithm>

#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

bool numeric(const Domain& domain) {
  if (const auto* choice = std::get_if<ChoiceDomain>(&domain))
    return std::all_of(choice->choices.begin(), choice->choices.end(), [](const Json& c) { return c.is_number(); });
  const auto* fixed = std::get_if<FixedDomain>(&domain);
  return !fixed || fixed->value.is_number();
}

// A value as the parameter will have it: floats as floats, whole numbers as integers.
Json normal(const Domain& domain, const Json& value) {
  if (std::holds_alternative<FloatDomain>(domain) && value.is_number()) return value.get<double>();
  return value;
}

class ConditionReader {
 public:
  ConditionReader(const Field& field, const Param* parent) : field_(field), parent_(parent) {
    condition_.param = field.key();
  }

  Condition read() {
    if (field_.value().is_object()) read_operators();
    else add(field_);
    return condition_;
  }

 private:
  void add(const Field& value) {
    if (parent_) {
      const auto fault = domain_fault(parent_->domain, value.value());
      if (fault) return value.fault(*fault + list_hint(value));
    }
    condition_.in.push_back(parent_ ? normal(parent_->domain, value.value()) : value.value());
  }

  std::string list_hint(const Field& value) const {
    return value.value().is_array() && !value.value().empty() ? "; several values are written {\"in\": [...]}" : "";
  }

  void read_operators() {
    const Fields fields(field_, "condition");
    const auto in = fields.find("in"), at_least = fields.find("at_least"), at_most = fields.find("at_most");
    if (!in && !at_least && !at_most) field_.fault("needs \"in\", \"at_least\" or \"at_most\"");
    if (in && (at_least || at_most)) field_.fault("\"in\" goes alone");
    if (in) read_list(*in);
    if (at_least) condition_.at_least = bound(*at_least);
    if (at_most) condition_.at_most = bound(*at_most);
    const bool empty = condition_.at_least && condition_.at_most && *condition_.at_least > *condition_.at_most;
    if (empty) field_.fault("\"at_least\" is above \"at_most\"");
  }

  void read_list(const Field& in) {
    in.refuse_empty();
    for (const Field& item : in.items("a list of values")) add(item);
  }

  std::optional<double> bound(const Field& bound) const {
    if (!parent_ || numeric(parent_->domain)) return bound.number();
    bound.fault("goes with numbers only, and " + field_.key() + " has other values");
    return std::nullopt;
  }

  const Field& field_;
  const Param* parent_;
  Condition condition_;
};

bool meets(const Condition& condition, double low, double high) {
  return condition.at_least.value_or(low) <= high && condition.at_most.value_or(high) >= low;
}

bool satisfiable(const Condition& condition, const Domain& domain) {
  if (const auto* number = std::get_if<FloatDomain>(&domain)) return meets(condition, number->low, number->high);
  if (const auto* number = std::get_if<IntDomain>(&domain))
    return meets(condition, static_cast<double>(number->low), static_cast<double>(number->high));
  const auto size = domain_size(domain).value_or(0);
  for (std::uint64_t i = 0; i < size; ++i) {
    if (condition.holds(domain_value(domain, i))) return true;
  }
  return false;
}

void refuse_unknown(const Field& key, const ParamScope& scope) {
  if (scope.has(key.key()))
    return key.fault("a `when` refers to a parameter above its own: move \"" + key.key() + "\" up");
  key.fault("no parameter is called \"" + key.key() + "\"" + did_you_mean(key.key(), scope.all));
}

}  // namespace

std::vector<Condition> read_conditions(const Field& when, const ParamScope& scope) {
  std::vector<Condition> conditions;
  when.refuse_empty("must name a parameter, as {\"optimizer\": \"sgd\"}");
  for (const Field& key : when.members("an object, as {\"optimizer\": \"sgd\"}")) {
    const bool faulty = scope.faulty.count(key.key()) > 0;
    const Param* parent = faulty ? nullptr : scope.space.find(key.key());
    if (!parent && !faulty) {
      refuse_unknown(key, scope);
      continue;
    }
    const std::size_t before = key.faults().size();
    conditions.push_back(ConditionReader(key, parent).read());
    const bool bounded = conditions.back().at_least || conditions.back().at_most;
    if (parent && bounded && key.faults().size() == before && !satisfiable(conditions.back(), parent->domain))
      key.fault("no value of " + key.key() + " is so");
  }
  return conditions;
}

}  // namespace hpsearch
