#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace hpsearch {

inline constexpr double kExactIntegers = 9007199254740992.0;  // 2^53: whole numbers up to it are exact in a double.
inline constexpr std::int64_t kLeastInteger = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMostInteger = std::numeric_limits<std::int64_t>::max();

// Reads a whole token as a number, independent of the locale: "7.5e-05", ".98", "5.", "+1E3", "-0.0", "nan",
// "Infinity"; beyond the range of a double gives an infinity or zero. None for "12abc", "0,5", "", "0x10", "1 2".
std::optional<double> parse_number(std::string_view token);

// A decimal integer of 64 bits, whole token.
std::optional<std::int64_t> parse_integer(std::string_view token);

// The shortest text that reads back as the same double; integral values without exponent up to 2^53 ("27", "0.1").
std::string format_number(double value);

// "90s", "30m", "2h", "1d12h", "500ms", or a plain number of seconds; none when malformed or not positive. Milliseconds.
std::optional<std::int64_t> parse_span_ms(std::string_view text);
std::string format_span_ms(std::int64_t ms);  // "1h 5m", "12s", "0.4s"

}  // namespace hpsearch
