#include "trials/spec_change.h"

#include <algorithm>

namespace hpsearch {

namespace {

void compare(const Json& was, const Json& is, const std::string& path, Json& difference) {
  if (was == is && was.type() == is.type()) return;
  if (!was.is_object() || !is.is_object()) {
    difference.push_back({{"path", path}, {"was", was}, {"is", is}});
    return;
  }
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : was.items()) compare(value, is.contains(key) ? is[key] : Json(), prefix + key, difference);
  for (const auto& [key, value] : is.items())
    if (!was.contains(key)) compare(Json(), value, prefix + key, difference);
}

const char* word(const Metric& metric) { return metric.goal == Goal::maximize ? "maximize" : "minimize"; }

void check_metric(const StudySpec& was, const StudySpec& is, SpecChange& change) {
  const Metric &old_metric = was.metric(), &new_metric = is.metric();
  if (old_metric.name != new_metric.name)
    change.refusals.push_back("metric: the study's is \"" + old_metric.name + "\", the file says \"" + new_metric.name + "\"");
  if (old_metric.goal != new_metric.goal)
    change.refusals.push_back(std::string("metric.goal: the study's is ") + word(old_metric) + ", the file says " + word(new_metric));
  if (old_metric.smooth != new_metric.smooth || was.trial.value != is.trial.value)
    change.refusals.push_back("metric.smooth, trial.value: values of old and new trials would not compare");
}

bool same(const std::optional<Resource>& a, const std::optional<Resource>& b) {
  if (!a || !b) return !a && !b;
  return a->name == b->name && a->min == b->min && a->max == b->max;
}

void check_early_stopping(const StudySpec& was, const StudySpec& is, SpecChange& change) {
  if (!same(was.resource, is.resource)) change.refusals.push_back("resource: rungs of old and new trials would not compare");
  if (was.search.pruner.type != is.search.pruner.type || was.search.pruner.options != is.search.pruner.options)
    change.refusals.push_back("search.pruner: rungs of old and new trials would not compare");
}

struct Compatible {
  bool operator()(const FloatDomain& a, const FloatDomain& b) const { return a.log == b.log && a.step == b.step; }
  bool operator()(const IntDomain& a, const IntDomain& b) const { return a.log == b.log && a.step == b.step; }
  bool operator()(const ChoiceDomain& a, const ChoiceDomain& b) const {
    return a.ordered == b.ordered && std::all_of(a.choices.begin(), a.choices.end(), [&](const Json& choice) {
             return std::find(b.choices.begin(), b.choices.end(), choice) != b.choices.end();
           });
  }
  bool operator()(const FixedDomain&, const FixedDomain&) const { return true; }
  template <typename A, typename B> bool operator()(const A&, const B&) const { return false; }
};

void check_params(const StudySpec& was, const StudySpec& is, SpecChange& change) {
  for (const Param& param : was.space.params) {
    const Param* now = is.space.find(param.name);
    if (!now) change.refusals.push_back("params." + param.name + ": is gone; trials of the study have it");
    else if (!std::visit(Compatible{}, param.domain, now->domain))
      change.refusals.push_back("params." + param.name + ": only ranges may change and choices be added");
  }
  for (const Param& param : is.space.params)
    if (!was.space.find(param.name) && !param.was && !std::holds_alternative<FixedDomain>(param.domain))
      change.refusals.push_back("params." + param.name + ": is new; say with \"was\": VALUE what the trials so far had");
}

bool touches(const Json& difference, const std::string& key) {
  return std::any_of(difference.begin(), difference.end(), [&](const Json& entry) {
    const std::string path = entry["path"];
    return path == key || path.rfind(key + ".", 0) == 0;
  });
}

}  // namespace

SpecChange compare_specs(const StudySpec& was, const StudySpec& is) {
  SpecChange change;
  compare(was.document, is.document, "", change.difference);
  if (was.folder != is.folder)
    change.difference.push_back({{"path", "(folder)"}, {"was", was.folder}, {"is", is.folder}});
  check_metric(was, is, change);
  check_early_stopping(was, is, change);
  check_params(was, is, change);
  if (touches(change.difference, "command")) change.warnings.push_back("command: differs from that of the trials so far");
  if (touches(change.difference, "settings")) change.warnings.push_back("settings: differ from those of the trials so far");
  if (touches(change.difference, "search.seed")) change.warnings.push_back("search.seed: the study keeps the one it began with");
  return change;
}

}  // namespace hpsearch
