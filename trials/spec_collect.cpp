#include <set>
#include <stdexcept>

#include "trials/pattern.h"
#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

constexpr std::size_t kLongestPattern = 500;

std::optional<Field> stream_of(const Fields& fields, const Field& item, CollectRule& rule) {
  const auto out = fields.find("stdout"), err = fields.find("stderr");
  if (!out == !err && item.value().is_object())
    item.fault("needs \"stdout\" or \"stderr\", one of them, with a regular expression");
  if (!out == !err) return std::nullopt;
  rule.stream = out ? "stdout" : "stderr";
  return out ? out : err;
}

// The number of groups.
std::optional<std::size_t> read_pattern(const Field& field, CollectRule& rule) {
  const auto pattern = field.text();
  if (!pattern) return std::nullopt;
  if (pattern->size() > kLongestPattern) {
    field.fault("must have at most " + std::to_string(kLongestPattern) + " characters");
    return std::nullopt;
  }
  rule.pattern = *pattern;
  try {
    return Pattern(*pattern).groups();
  } catch (const std::invalid_argument& error) {
    field.fault(shown(field.value()) + " is not a regular expression: " + error.what());
    return std::nullopt;
  }
}

void read_names(const Field& field, std::optional<std::size_t> groups, CollectRule& rule) {
  const auto items = field.items("a list of names, as [\"step\", \"val_accuracy\"]");
  std::set<std::string> names;
  for (const Field& item : items) {
    const auto name = item.name();
    if (name) rule.as.push_back(*name);
    if (name && !names.insert(*name).second) item.fault(shown(*name) + " is named twice");
  }
  if (groups && *groups != items.size())
    field.fault("names " + std::to_string(items.size()) + " groups, the regular expression has " +
                std::to_string(*groups));
  names.erase("step");
  if (names.empty()) field.fault("must name a metric");
}

}  // namespace

std::vector<CollectRule> read_collect(const Fields& root) {
  std::vector<CollectRule> rules;
  const auto field = root.find("collect");
  if (!field) return rules;
  for (const Field& item : field->items("a list of rules")) {
    const Fields fields(item, "collect");
    CollectRule rule;
    const auto stream = stream_of(fields, item, rule);
    const auto groups = stream ? read_pattern(*stream, rule) : std::nullopt;
    if (const auto as = fields.require("as", "[\"step\", \"val_accuracy\"]")) read_names(*as, groups, rule);
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace hpsearch
