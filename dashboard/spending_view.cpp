#include "dashboard/spending_view.h"

#include <algorithm>

#include "dashboard/spending.h"
#include "dashboard/text_table.h"
#include "dashboard/value_text.h"

namespace hpsearch {

namespace {

void add(TextTable& table, const std::string& name, const Spent& spent) {
  table.add({name, std::to_string(spent.attempts), two_digits(spent.hours), two_digits(spent.gpu_hours), two_digits(spent.cost)});
}

std::string limit_text(const char* what, const std::optional<double>& limit, double spent) {
  if (!limit) return "";
  return std::string(what) + " " + two_digits(spent) + " of " + two_digits(*limit) + ", " + two_digits(std::max(0.0, *limit - spent)) + " left\n";
}

Json limit_json(const std::optional<double>& limit, double spent) {
  if (!limit) return nullptr;
  return {{"limit", *limit}, {"left", std::max(0.0, *limit - spent)}};
}

Json spent_json(const Spent& spent) {
  return {{"attempts", spent.attempts}, {"hours", spent.hours}, {"gpu_hours", spent.gpu_hours}, {"cost", spent.cost}};
}

Json parts_json(const std::map<std::string, Spent>& parts) {
  Json json = Json::object();
  for (const auto& [name, spent] : parts) json[name] = spent_json(spent);
  return json;
}

}  // namespace

std::string spending_text(const Study& study, Time now) {
  const Spending spending = spending_of(study, now);
  if (spending.all.attempts == 0 && study.instances().empty()) return "";
  TextTable table({{"spent"}, {"attempts", Align::right}, {"hours", Align::right}, {"GPU-hours", Align::right}, {"cost", Align::right}});
  for (const auto& [host, spent] : spending.by_host) add(table, "on " + host, spent);
  for (const auto& [outcome, spent] : spending.by_outcome) add(table, outcome, spent);
  add(table, "all", spending.all);
  std::string text = "\n" + table.text();
  text += limit_text("GPU-hours:", study.spec().limits.gpu_hours, study.gpu_hours(now));
  text += limit_text("cost:", study.spec().limits.cost, study.cost(now));
  if (spending.saved_hours > 0) text += "stopping early saved about " + two_digits(spending.saved_hours) + " hours of running\n";
  return text;
}

Json spending_json(const Study& study, Time now) {
  const Spending spending = spending_of(study, now);
  return {{"all", spent_json(spending.all)},
          {"by_host", parts_json(spending.by_host)},
          {"by_outcome", parts_json(spending.by_outcome)},
          {"gpu_hours", limit_json(study.spec().limits.gpu_hours, study.gpu_hours(now))},
          {"cost", limit_json(study.spec().limits.cost, study.cost(now))},
          {"saved_hours", spending.saved_hours}};
}

bool spends(const StudySpec& spec) {
  const auto priced = [](const HostSpec& host) { return host.price_per_hour.has_value(); };
  return spec.limits.gpu_hours || spec.limits.cost || spec.hosts.size() > 1 || std::any_of(spec.hosts.begin(), spec.hosts.end(), priced);
}

}  // namespace hpsearch
