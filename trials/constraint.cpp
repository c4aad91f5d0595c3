#include "trials/constraint.h"

#include <algorithm>
#include <limits>

#include "trials/constraint_node.h"

namespace hpsearch {
namespace {

RuleValue rule_value(const Json& value) {
  if (value.is_null()) return nullptr;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const bool large = value.is_number_unsigned() && value.get<std::uint64_t>() > kMost;
  if (value.is_number_integer() && !large) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return Undefined{};
}

RuleValue chain(const Constraint::Node& node, const Json& values) {
  RuleValue left = evaluated(node.operands[0], values);
  for (std::size_t i = 0; i < node.comparisons.size(); ++i) {
    RuleValue right = evaluated(node.operands[i + 1], values);
    RuleValue link = compared(node.comparisons[i], left, right);
    if (!std::holds_alternative<bool>(link) || !std::get<bool>(link)) return link;
    left = std::move(right);
  }
  return true;
}

// `decisive` is the truth that settles the whole: false for and, true for or.
RuleValue junction(const Constraint::Node& node, const Json& values, bool decisive) {
  RuleValue result = !decisive;
  for (const Constraint::Node& operand : node.operands) {
    const RuleValue value = evaluated(operand, values);
    if (!std::holds_alternative<bool>(value)) result = Undefined{};
    else if (std::get<bool>(value) == decisive) return value;
  }
  return result;
}

RuleValue negation(const RuleValue& value) {
  return std::holds_alternative<bool>(value) ? RuleValue(!std::get<bool>(value)) : Undefined{};
}

RuleValue extreme(const Constraint::Node& node, const Json& values, Comparison wanted) {
  RuleValue result = evaluated(node.operands[0], values);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    RuleValue next = evaluated(node.operands[i], values);
    const RuleValue better = compared(wanted, next, result);
    if (!std::holds_alternative<bool>(better)) return Undefined{};
    if (std::get<bool>(better)) result = std::move(next);
  }
  return result;
}

}  // namespace

RuleValue evaluated(const Constraint::Node& node, const Json& values) {
  switch (node.operation) {
    case Operation::literal: return node.literal;
    case Operation::name: return rule_value(values.at(node.name));
    case Operation::add: case Operation::subtract: case Operation::multiply: case Operation::divide:
    case Operation::modulo: case Operation::power:
      return arithmetic(node.operation, evaluated(node.operands[0], values), evaluated(node.operands[1], values));
    case Operation::negate: case Operation::absolute: case Operation::logarithm: case Operation::square_root:
      return function_value(node.operation, evaluated(node.operands[0], values));
    case Operation::minimum: return extreme(node, values, Comparison::less);
    case Operation::maximum: return extreme(node, values, Comparison::greater);
    case Operation::compare: return chain(node, values);
    case Operation::both: return junction(node, values, false);
    case Operation::either: return junction(node, values, true);
    case Operation::negation: return negation(evaluated(node.operands[0], values));
  }
  return Undefined{};
}

Constraint::Constraint(std::string text) : text_(std::move(text)) {
  root_ = std::make_shared<const Node>(parse_constraint(text_, names_));
}

bool Constraint::holds(const Json& values) const {
  const auto absent = [&values](const std::string& name) { return !values.contains(name); };
  if (std::any_of(names_.begin(), names_.end(), absent)) return true;
  const RuleValue value = evaluated(*root_, values);
  return std::holds_alternative<bool>(value) && std::get<bool>(value);
}

}  // namespace hpsearch
