#include <cmath>
#include <limits>
#include <optional>

#include "trials/number.h"
#include "trials/constraint_node.h"

namespace hpsearch {
namespace {

std::optional<double> as_double(const RuleValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

RuleValue defined(double value) { return std::isnan(value) ? RuleValue(Undefined{}) : RuleValue(value); }

// Integers compare exactly with fractions: a long double holds every 64-bit integer.
std::optional<int> order_of(const RuleValue& left, const RuleValue& right) {
  const auto exact = [](const RuleValue& value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    return integer ? static_cast<long double>(*integer) : static_cast<long double>(std::get<double>(value));
  };
  if (as_double(left) && as_double(right)) {
    const long double a = exact(left), b = exact(right);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const auto* a = std::get_if<std::string>(&left);
  const auto* b = std::get_if<std::string>(&right);
  if (!a || !b) return std::nullopt;
  return a->compare(*b) < 0 ? -1 : a->compare(*b) > 0 ? 1 : 0;
}

std::optional<bool> equality(const RuleValue& left, const RuleValue& right) {
  if (std::holds_alternative<Undefined>(left) || std::holds_alternative<Undefined>(right)) return std::nullopt;
  if (const auto order = order_of(left, right)) return *order == 0;
  if (left.index() != right.index()) return false;
  const auto* truth = std::get_if<bool>(&left);
  return !truth || *truth == std::get<bool>(right);  // Otherwise both are null.
}

// The remainder has the sign of the divisor.
RuleValue integer_modulo(std::int64_t a, std::int64_t b) {
  if (b == 0) return Undefined{};
  if (b == -1) return std::int64_t{0};  // kLeastInteger % -1 traps.
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::optional<std::int64_t> integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::int64_t result = 1;
  for (; exponent > 0; --exponent) {  // Overflows after at most 64 steps.
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return result;
}

// None where the result is no 64-bit integer.
std::optional<RuleValue> integer_arithmetic(Operation operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (operation == Operation::modulo) return integer_modulo(a, b);
  if (operation == Operation::add && !__builtin_add_overflow(a, b, &result)) return RuleValue(result);
  if (operation == Operation::subtract && !__builtin_sub_overflow(a, b, &result)) return RuleValue(result);
  if (operation == Operation::multiply && !__builtin_mul_overflow(a, b, &result)) return RuleValue(result);
  if (operation == Operation::divide && b != 0 && !(a == kLeastInteger && b == -1) && a % b == 0) return RuleValue(a / b);
  if (operation != Operation::power) return std::nullopt;
  const auto power = integer_power(a, b);
  return power ? std::optional<RuleValue>(*power) : std::nullopt;
}

RuleValue double_arithmetic(Operation operation, double a, double b) {
  if (operation == Operation::add) return defined(a + b);
  if (operation == Operation::subtract) return defined(a - b);
  if (operation == Operation::multiply) return defined(a * b);
  if (operation == Operation::power) return a == 0 && b < 0 ? RuleValue(Undefined{}) : defined(std::pow(a, b));
  if (b == 0) return Undefined{};
  if (operation == Operation::divide) return defined(a / b);
  const double rest = std::fmod(a, b);
  return defined(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

}  // namespace

RuleValue arithmetic(Operation operation, const RuleValue& left, const RuleValue& right) {
  const auto a = as_double(left), b = as_double(right);
  if (!a || !b) return Undefined{};
  const auto* i = std::get_if<std::int64_t>(&left);
  const auto* j = std::get_if<std::int64_t>(&right);
  if (i && j) {
    if (const auto exact = integer_arithmetic(operation, *i, *j)) return *exact;
  }
  return double_arithmetic(operation, *a, *b);
}

RuleValue function_value(Operation operation, const RuleValue& operand) {
  const auto number = as_double(operand);
  if (!number) return Undefined{};
  if (operation == Operation::logarithm) return *number > 0 ? RuleValue(std::log(*number)) : Undefined{};
  if (operation == Operation::square_root) return *number >= 0 ? RuleValue(std::sqrt(*number)) : Undefined{};
  if (operation == Operation::absolute && *number >= 0) return operand;
  return arithmetic(Operation::subtract, std::int64_t{0}, operand);
}

RuleValue compared(Comparison comparison, const RuleValue& left, const RuleValue& right) {
  if (comparison == Comparison::equal || comparison == Comparison::not_equal) {
    const auto equal = equality(left, right);
    return equal ? RuleValue(*equal == (comparison == Comparison::equal)) : Undefined{};
  }
  const auto order = order_of(left, right);
  if (!order) return Undefined{};
  if (comparison == Comparison::less) return *order < 0;
  if (comparison == Comparison::less_equal) return *order <= 0;
  return comparison == Comparison::greater ? *order > 0 : *order >= 0;
}

}  // namespace hpsearch
