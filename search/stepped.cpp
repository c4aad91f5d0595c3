#include "search/stepped.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace hpsearch {
namespace {

constexpr double kOffStep = 1e-6;  // Of a step: what domain_fault allows a user's value.

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// Steps from low to `value`, and how far from whole they may be by rounding of the bounds alone.
struct Steps {
  double count, slack;

  Steps(const FloatDomain& domain, double value) {
    constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
    count = (value - domain.low) / *domain.step;
    slack = kRounding * (std::max(std::fabs(domain.low), std::fabs(value)) / *domain.step + std::fabs(count));
  }
};

// Digits after the point of the shortest plain text of `value`.
int decimals(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const std::string_view view(text, static_cast<std::size_t>(end - text));
  const auto e = view.find('e');
  const auto point = view.find('.');
  const int mantissa = point == view.npos ? 0 : static_cast<int>(e - point - 1);
  const std::size_t sign = view[e + 1] == '+' ? 1 : 0;
  int exponent = 0;
  std::from_chars(text + e + 1 + sign, end, exponent);
  return std::max(0, mantissa - exponent);
}

double rounded_to(double value, int digits) {
  char text[800];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr;
  double result = value;
  std::from_chars(text, end, result);
  return result + 0.0;  // Never -0.0.
}

}  // namespace

std::uint64_t stepped_last(const IntDomain& domain) { return (bits(domain.high) - bits(domain.low)) / bits(domain.step); }

std::int64_t stepped_value(const IntDomain& domain, std::uint64_t index) {
  return static_cast<std::int64_t>(bits(domain.low) + index * bits(domain.step));
}

std::optional<std::uint64_t> stepped_index(const IntDomain& domain, const Json& json) {
  if (!json.is_number_integer()) return std::nullopt;
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > bits(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  const auto value = json.get<std::int64_t>();
  if (value < domain.low || value > domain.high) return std::nullopt;
  const std::uint64_t distance = bits(value) - bits(domain.low);
  if (distance % bits(domain.step) != 0) return std::nullopt;
  return distance / bits(domain.step);
}

std::uint64_t stepped_last(const FloatDomain& domain) {
  const Steps steps(domain, domain.high);
  return static_cast<std::uint64_t>(std::clamp(std::floor(steps.count + steps.slack), 0.0, 0x1p53));
}

double stepped_value(const FloatDomain& domain, std::uint64_t index) {
  const double value = domain.low + static_cast<double>(index) * *domain.step;
  const int digits = std::max(decimals(domain.low), decimals(*domain.step));
  return std::clamp(rounded_to(value, digits), domain.low, domain.high);
}

std::optional<std::uint64_t> stepped_index(const FloatDomain& domain, const Json& json) {
  if (!json.is_number()) return std::nullopt;
  const auto value = json.get<double>();
  if (!(value >= domain.low && value <= domain.high)) return std::nullopt;
  const Steps steps(domain, value);
  const double nearest = std::round(steps.count);
  if (std::fabs(steps.count - nearest) > std::max(steps.slack, kOffStep)) return std::nullopt;
  return std::min(static_cast<std::uint64_t>(nearest), stepped_last(domain));
}

}  // namespace hpsearch
