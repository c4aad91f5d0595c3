#include "trials/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace hpsearch {
namespace {

constexpr std::int64_t kHugeExponent = std::int64_t{1} << 60;

// from_chars takes no leading '+'; one is dropped here unless another sign follows.
std::string_view without_plus(std::string_view token) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-' && token[1] != '+') token.remove_prefix(1);
  return token;
}

// The decimal exponent of a token's first significant digit, clamped: beyond a double's range only its sign counts.
std::int64_t magnitude(std::string_view token) {
  const std::size_t e = std::min(token.find_first_of("eE"), token.size());
  const std::size_t point = std::min(token.substr(0, e).find('.'), e);
  const auto leading = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(token.find_first_of("123456789"));
  if (e == token.size()) return leading;
  const std::string_view written = without_plus(token.substr(e + 1));
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), exponent);
  const bool clamp = error != std::errc{} || exponent > kHugeExponent || exponent < -kHugeExponent;
  if (clamp) exponent = written[0] == '-' ? -kHugeExponent : kHugeExponent;
  return leading + exponent;
}

double beyond_range(std::string_view token) {
  const double value = magnitude(token) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return token[0] == '-' ? -value : value;
}

std::string trimmed_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const bool negative = text[e + 1] == '-';
  const std::size_t digits = text.find_first_not_of("+-0", e + 1);
  return text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
}

}  // namespace

std::optional<double> parse_number(std::string_view token) {
  token = without_plus(token);
  if (token.empty() || token.back() == ')') return std::nullopt;  // "nan(...)" is C's, not ours.
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (end != token.data() + token.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return beyond_range(token);
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view token) {
  token = without_plus(token);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || end != token.data() + token.size() || error != std::errc{}) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (std::abs(value) <= kExactIntegers && value == std::trunc(value)) {
    const bool negative_zero = value == 0 && std::signbit(value);
    return (negative_zero ? "-" : "") + std::to_string(static_cast<std::int64_t>(value));
  }
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return trimmed_exponent(std::string(buffer.data(), end));
}

}  // namespace hpsearch
