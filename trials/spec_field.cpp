#include "trials/spec_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trials/number.h"
#include "trials/spec_keys.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

bool number_in_quotes(const Json& value) {
  return value.is_string() && parse_number(value.get_ref<const std::string&>());
}

std::string without_quotes(const Json& value) {
  return shown(value) + " is text; write " + value.get<std::string>() + " without quotes";
}

// Whole floats such as 1e6 count as integers where a double is exact.
std::optional<std::int64_t> whole(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (number != std::trunc(number) || std::abs(number) > kExactIntegers) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::string range_text(std::int64_t low, std::int64_t high) {
  const bool open = high == std::numeric_limits<std::int64_t>::max() && low >= 0;
  return open ? "of at least " + std::to_string(low) : "from " + std::to_string(low) + " to " + std::to_string(high);
}

}  // namespace

std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 60;
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

void Field::expected(const std::string& what) const {
  const bool quoted = number_in_quotes(value());
  fault("must be " + what + (quoted ? "; " + without_quotes(value()) : ", not " + shown(value())));
}

std::optional<double> Field::number() const {
  if (!value().is_number()) expected("a number");
  return value().is_number() ? std::optional(value().get<double>()) : std::nullopt;
}

std::optional<double> Field::positive() const {
  if (value().is_number() && value().get<double>() > 0) return value().get<double>();
  expected("a number above 0");
  return std::nullopt;
}

std::optional<std::int64_t> Field::integer(std::int64_t low, std::int64_t high) const {
  const auto number = whole(value());
  if (number && *number >= low && *number <= high) return number;
  expected("a whole number " + range_text(low, high));
  return std::nullopt;
}

std::optional<bool> Field::truth() const {
  if (value().is_boolean()) return value().get<bool>();
  expected("true or false");
  return std::nullopt;
}

bool Field::passable() const {
  const bool zero = value().is_string() && value().get_ref<const std::string&>().find('\0') != std::string::npos;
  if (zero) fault("must not contain the character \\u0000: no program can be given it");
  return !zero;
}

std::optional<std::string> Field::text() const {
  if (!value().is_string()) fault("must be text in double quotes, not " + shown(value()));
  if (!value().is_string() || !passable()) return std::nullopt;
  return value().get<std::string>();
}

bool control_character(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::optional<std::string> Field::name() const {
  auto name = text();
  if (name && name->empty()) fault("must not be empty");
  if (name && std::any_of(name->begin(), name->end(), control_character)) fault("must not contain control characters");
  return name && !name->empty() ? name : std::nullopt;
}

std::optional<std::string> Field::word(const std::vector<std::string>& allowed) const {
  const auto word = text();
  if (!word) return std::nullopt;
  if (std::find(allowed.begin(), allowed.end(), *word) != allowed.end()) return word;
  fault(shown(value()) + " is not one of " + joined_quoted(allowed) + did_you_mean(*word, allowed));
  return std::nullopt;
}

std::optional<Span> Field::span() const {
  std::optional<std::int64_t> ms;
  if (value().is_string()) ms = parse_span_ms(value().get_ref<const std::string&>());
  if (value().is_number()) ms = parse_span_ms(format_number(value().get<double>()));
  if (ms) return Span(*ms);
  fault("must be a time, as \"90s\", \"30m\", \"2h\", \"1d12h\" or a number of seconds, not " + shown(value()));
  return std::nullopt;
}

std::vector<Field> Field::items(const std::string& what) const {
  std::vector<Field> fields;
  if (!value().is_array()) return expected(what), fields;
  for (std::size_t i = 0; i < value().size(); ++i) fields.emplace_back(value()[i], json_path(path_, i), *faults_);
  return fields;
}

std::vector<Field> Field::members(const std::string& what) const {
  std::vector<Field> fields;
  if (!value().is_object()) return expected(what), fields;
  for (const auto& [key, member] : value().items()) {
    fields.emplace_back(member, json_path(path_, key), *faults_);
    fields.back().key_ = key;
  }
  return fields;
}

void Field::refuse_empty(const std::string& message) const {
  if (value().is_structured() && value().empty()) fault(message);
}

Fields::Fields(const Field& object, const std::string& section) : self_(object) {
  const auto members = object.members("an object in braces");
  const std::vector<std::string>& known = known_keys().at(section);
  for (const Field& member : members) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) written_[member.key()] = member.key();
  }
  for (const Field& member : members) {
    const bool unknown = std::find(known.begin(), known.end(), member.key()) == known.end();
    if (unknown) refuse(member.key(), member.value(), section);
  }
}

void Fields::refuse(const std::string& key, const Json& value, const std::string& section) {
  const KeyAdvice advice = key_advice(section, key);
  const std::string path = json_path(self_.path(), key);
  const bool stands_in = advice.same_section && written_.emplace(advice.meant, key).second;
  const bool quoted = !stands_in && number_in_quotes(value);
  self_.faults().add(path, "unknown key; " + advice.text + (quoted ? "; " + without_quotes(value) : ""));
}

std::optional<Field> Fields::find(const std::string& key) const {
  const auto written = written_.find(key);
  if (written == written_.end()) return std::nullopt;
  return Field(self_.value()[written->second], json_path(self_.path(), written->second), self_.faults());
}

std::optional<Field> Fields::require(const std::string& key, const std::string& example) const {
  auto field = find(key);
  if (!field && self_.value().is_object()) missing(key, "missing; for example \"" + key + "\": " + example);
  return field;
}

void Fields::missing(const std::string& key, const std::string& message) const {
  self_.faults().add_missing(self_.path(), key, message);
}

}  // namespace hpsearch
