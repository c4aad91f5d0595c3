#include <algorithm>
#include <array>
#include <cmath>

#include "trials/number.h"

namespace hpsearch {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ms;
};

// From the longest down: a span names each at most once, in this order.
constexpr std::array<Unit, 5> kUnits{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
constexpr double kLongestMs = 9e15;

std::string_view take_while(std::string_view& text, bool (*wanted)(char)) {
  std::size_t n = 0;
  while (n < text.size() && wanted(text[n])) ++n;
  const std::string_view taken = text.substr(0, n);
  text.remove_prefix(n);
  return taken;
}

bool of_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }
bool of_unit(char c) { return c >= 'a' && c <= 'z'; }
std::optional<std::int64_t> whole_ms(double ms) {
  if (!(ms > 0) || ms > kLongestMs) return std::nullopt;
  return std::max<std::int64_t>(1, std::llround(ms));
}

std::string two_units(std::int64_t ms, std::size_t first) {
  const Unit large = kUnits[first], small = kUnits[first + 1];
  const std::int64_t rest = ms % large.ms / small.ms;
  const std::string head = std::to_string(ms / large.ms) + std::string(large.name);
  return rest == 0 ? head : head + " " + std::to_string(rest) + std::string(small.name);
}

std::string short_span(std::int64_t ms) {
  if (ms >= 10'000) return std::to_string(ms / 1000) + "s";
  if (ms >= 100) ms = (ms + 50) / 100 * 100;
  return format_number(static_cast<double>(ms) / 1000) + "s";
}

}  // namespace

std::optional<std::int64_t> parse_span_ms(std::string_view text) {
  if (const auto seconds = parse_number(text)) return whole_ms(*seconds * 1000);
  double total = 0;
  std::size_t next = 0;
  do {
    const auto amount = parse_number(take_while(text, of_number));
    const std::string_view name = take_while(text, of_unit);
    while (next < kUnits.size() && kUnits[next].name != name) ++next;
    if (!amount || next == kUnits.size()) return std::nullopt;
    total += *amount * static_cast<double>(kUnits[next++].ms);
    if (!text.empty()) take_while(text, [](char c) { return c == ' '; });
  } while (!text.empty());
  return whole_ms(total);
}

std::string format_span_ms(std::int64_t ms) {
  for (std::size_t unit = 0; unit < 3; ++unit) {
    if (ms >= kUnits[unit].ms) return two_units(ms, unit);
  }
  return short_span(std::max<std::int64_t>(ms, 0));
}

}  // namespace hpsearch
