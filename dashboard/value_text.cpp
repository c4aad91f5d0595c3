#include "dashboard/value_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "dashboard/text_width.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

// Not printf: its decimal point follows the locale.
std::string six_digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return {text, end};
}

bool plain_text(const std::string& text) {
  return !text.empty() && text == one_line(text) && text.find_first_of(" \"'=") == std::string::npos;
}

// False for what goes out as it was sent, the empty text included.
bool as_number(const MetricValue& value) { return value.finite() || (value.is_number && value.text.empty()); }

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string written(const std::tm& fields, const char* format) {
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &fields)};
}

std::time_t whole_seconds(Time time) {
  return static_cast<std::time_t>(std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count());
}

}  // namespace

std::string short_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const std::string exact = format_number(value), rounded = six_digits(value);
  return exact.size() <= rounded.size() ? exact : rounded;
}

std::string short_value(const std::optional<MetricValue>& value) {
  if (!value) return "-";
  return as_number(*value) ? short_number(value->number) : one_line(value->text);
}

std::string exact_value(const std::optional<MetricValue>& value) {
  if (!value) return "";
  if (value->finite()) return format_number(value->number);
  return as_number(*value) ? short_number(value->number) : value->text;
}

std::string short_param(const Json& value) {
  if (value.is_number_float()) return short_number(value.get<double>());
  if (value.is_string() && plain_text(value.get_ref<const std::string&>())) return value.get<std::string>();
  return one_line(dumped(value, -1));
}

std::string params_text(const Json& params) {
  std::string text;
  for (auto it = params.begin(); it != params.end(); ++it)
    text += (text.empty() ? "" : " ") + one_line(it.key()) + "=" + short_param(it.value());
  return text;
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(short_number(value)); }

Json value_json(const std::optional<MetricValue>& value) {
  if (!value) return nullptr;
  return value->finite() ? Json(value->number) : Json(exact_value(value));
}

std::string two_digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  return text;
}

std::string json_text(const Json& json) { return dumped(json, 2) + "\n"; }

std::string iso_time(Time time) {
  const std::time_t seconds = whole_seconds(time);
  const auto rest = (time - std::chrono::floor<std::chrono::seconds>(time)).count();
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  char fraction[16];
  std::snprintf(fraction, sizeof fraction, ".%03dZ", static_cast<int>(rest));
  return written(fields, "%Y-%m-%dT%H:%M:%S") + fraction;
}

Json time_json(const std::optional<Time>& time) { return time ? Json(iso_time(*time)) : Json(nullptr); }

std::string local_time(Time time) {
  const std::time_t seconds = whole_seconds(time);
  std::tm fields{};
  localtime_r(&seconds, &fields);
  return written(fields, "%Y-%m-%d %H:%M:%S");
}

Json seconds_json(Span span) { return static_cast<double>(span.count()) / 1000.0; }

}  // namespace hpsearch
