#include <algorithm>
#include <cctype>
#include <set>

#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

constexpr std::int64_t kMostResource = std::int64_t{1} << 53;

std::optional<Goal> read_goal(const Field& field) {
  const auto word = field.text();
  if (!word) return std::nullopt;
  if (*word == "minimize" || *word == "minimise") return Goal::minimize;
  if (*word == "maximize" || *word == "maximise") return Goal::maximize;
  const bool least = word->starts_with("min"), most = word->starts_with("max");
  const std::string meant = least ? "; did you mean \"minimize\"?" : most ? "; did you mean \"maximize\"?" : "";
  field.fault(shown(field.value()) + " is not a goal: \"minimize\" or \"maximize\"" + meant);
  return std::nullopt;
}

void read_name(const Fields& fields, Metric& metric) {
  const auto field = fields.require("name", "\"val_accuracy\"");
  const auto name = field ? field->name() : std::nullopt;
  if (!name) return;
  if (*name == "step" || *name == "checkpoint")
    field->fault(shown(*name) + " has a meaning in reports; name it otherwise");
  metric.name = *name;
}

Metric read_metric(const Field& object, bool first) {
  const Fields fields(object, "metric");
  Metric metric;
  read_name(fields, metric);
  if (const auto goal = fields.find("goal")) metric.goal = read_goal(*goal);
  else if (first && object.value().is_object()) fields.missing("goal", "missing; \"minimize\" or \"maximize\"");
  if (const auto most = fields.find("at_most")) metric.at_most = most->number();
  if (const auto least = fields.find("at_least")) metric.at_least = least->number();
  if (const auto smooth = fields.find("smooth")) metric.smooth = static_cast<int>(smooth->integer(1, 1000).value_or(1));
  if (metric.at_least && metric.at_most && *metric.at_least > *metric.at_most)
    object.fault("\"at_least\" is above \"at_most\"");
  return metric;
}

void check_limit(const Field& field, const Metric& metric) {
  if (metric.goal) field.fault("only the first metric has a goal: several goals are not available yet");
  else if (!metric.at_least && !metric.at_most && field.value().is_object())
    field.fault("needs \"at_most\" or \"at_least\": only the first metric has a goal");
}

std::vector<Metric> read_metric_list(const Field& list) {
  std::vector<Metric> metrics;
  std::set<std::string> names;
  list.refuse_empty();
  for (const Field& item : list.items("a list of metrics")) {
    metrics.push_back(read_metric(item, metrics.empty()));
    if (metrics.size() > 1) check_limit(item, metrics.back());
    const std::string& name = metrics.back().name;
    if (!names.insert(name).second) item.fault("the metric " + shown(name) + " is listed twice");
  }
  return metrics;
}

bool resource_name(const std::string& name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  return std::isalpha(static_cast<unsigned char>(name[0])) && std::all_of(name.begin(), name.end(), plain);
}

std::string read_resource_name(const Field& field, const ParamScope& scope, const Json& settings) {
  const auto name = field.name();
  if (!name) return "";
  if (!resource_name(*name)) field.fault("must be a word of letters, digits, _ and -, as \"epoch\"");
  if (scope.has(*name) || settings.contains(*name)) field.fault("a parameter or setting has this name too");
  if (template_word(*name) || *name == "seed" || *name == "trial")
    field.fault("{" + *name + "} has a meaning in commands; choose another name");
  return *name;
}

}  // namespace

std::vector<Metric> read_metrics(const Fields& root) {
  const auto one = root.find("metric"), many = root.find("metrics");
  if (one && many) many->fault("\"metric\" and \"metrics\" do not go together");
  if (many) return read_metric_list(*many);
  const auto metric = root.require("metric", "{\"name\": \"val_accuracy\", \"goal\": \"maximize\"}");
  if (!metric) return {};
  return {read_metric(*metric, true)};
}

std::optional<Resource> read_resource(const Fields& root, const ParamScope& scope, const Json& settings) {
  const auto field = root.find("resource");
  if (!field) return std::nullopt;
  const Fields fields(*field, "resource");
  Resource resource;
  if (const auto name = fields.require("name", "\"epoch\"")) resource.name = read_resource_name(*name, scope, settings);
  const auto max = fields.require("max", "27"), min = fields.find("min");
  if (max) resource.max = static_cast<double>(max->integer(1, kMostResource).value_or(kMostResource));
  if (min) resource.min = static_cast<double>(min->integer(1, kMostResource).value_or(1));
  if (min && max && resource.min > resource.max) min->fault(shown(min->value()) + " is above \"max\", " + shown(max->value()));
  return resource;
}

}  // namespace hpsearch
