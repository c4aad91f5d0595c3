#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "trials/constraint.h"

namespace hpsearch {

// The result of an operation without one: 1 / 0, sqrt(-1), 'a' + 1, a list. A rule that ends so does not hold.
struct Undefined {};

using RuleValue = std::variant<Undefined, std::nullptr_t, bool, std::int64_t, double, std::string>;

enum class Comparison { less, less_equal, greater, greater_equal, equal, not_equal };

enum class Operation {
  literal, name, add, subtract, multiply, divide, modulo, power, negate, minimum, maximum, absolute, logarithm,
  square_root, compare, both, either, negation
};

// One operation of a rule's tree. A chain of n comparisons has n + 1 operands.
struct Constraint::Node {
  Operation operation = Operation::literal;
  RuleValue literal{};
  std::string name;
  std::vector<Comparison> comparisons;
  std::vector<Node> operands;
};

// Throws std::invalid_argument with the column. `names` gets each parameter once, in the order of the text.
Constraint::Node parse_constraint(const std::string& rule, std::vector<std::string>& names);

// `values` has every name of the rule.
RuleValue evaluated(const Constraint::Node& node, const Json& values);

// Arithmetic on two numbers: exact on integers, in double where that overflows or a number has a fraction.
RuleValue arithmetic(Operation operation, const RuleValue& left, const RuleValue& right);
// Undefined when an order is asked of values that have none.
RuleValue compared(Comparison comparison, const RuleValue& left, const RuleValue& right);
// negate, absolute, logarithm, square_root.
RuleValue function_value(Operation operation, const RuleValue& operand);

}  // namespace hpsearch
