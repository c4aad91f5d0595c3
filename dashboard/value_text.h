#pragma once

#include <optional>
#include <string>

#include "trials/event.h"
#include "trials/json.h"

namespace hpsearch {

// How values look to people (short) and to programs (exact).

// Six significant digits; "nan", "inf".
std::string short_number(double value);
// The same of a metric; text as sent where it is no finite number, "-" where there is none.
std::string short_value(const std::optional<MetricValue>& value);
// The shortest text that reads back as the same double; text as sent; empty where there is none.
std::string exact_value(const std::optional<MetricValue>& value);

// A parameter on one line: text without quotes unless it holds odd characters, numbers with six digits.
std::string short_param(const Json& value);
// "lr=0.01 width=32"
std::string params_text(const Json& params);

// Numbers as numbers; what is not finite as text ("nan", "inf", or as sent), so that strict readers take it.
Json number_json(double value);
Json value_json(const std::optional<MetricValue>& value);

// "0.14", for hours and money.
std::string two_digits(double number);

// Two blanks of indentation, a newline at the end; bytes that are not UTF-8 are replaced.
std::string json_text(const Json& json);

// "2026-11-30T15:48:02.123Z"
std::string iso_time(Time time);
Json time_json(const std::optional<Time>& time);
// "2026-11-30 15:48:02", local time.
std::string local_time(Time time);
Json seconds_json(Span span);

}  // namespace hpsearch
