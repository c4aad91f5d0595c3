#include "dashboard/trial_view.h"

#include "dashboard/text_table.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr std::size_t kParamsWidth = 100;

std::optional<Time> reached(Time time) { return time == Time{} ? std::nullopt : std::optional(time); }

std::string place_text(const RungEntry& entry) {
  return "rung " + format_number(entry.level) + ": place " + std::to_string(entry.rank) + " of " +
         std::to_string(entry.n) + ", " + std::to_string(entry.k) + " kept";
}

std::string detail_of(const Trial& trial) {
  if (trial.state == TrialState::stopped && trial.detail.empty() && !trial.rungs.empty())
    return place_text(trial.rungs.back());
  return trial.detail;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

TrialView view_of(const Trial& trial) {
  TrialView view;
  view.number = trial.number;
  view.state = trial.state;
  view.failure = trial.failure;
  view.failure_code = trial.failure_code;
  view.detail = detail_of(trial);
  view.value = trial.value;
  view.resource = trial.resource;
  view.reports = static_cast<std::int64_t>(trial.reports);
  view.attempts = static_cast<int>(trial.attempts.size());
  view.retries = trial.retries_used;
  view.bracket = trial.bracket;
  view.params = trial.suggestion.params;
  view.method = trial.suggestion.method;
  view.excluded = trial.excluded;
  view.program = trial.program;
  view.created = reached(trial.created_at);
  if (const Attempt* last = trial.current()) view.slot = last->slot;
  if (!trial.attempts.empty()) view.started = reached(trial.attempts.front().started_at);
  if (trial.finished()) view.ended = reached(trial.settled_at);
  return view;
}

std::string reason_text(const TrialView& trial) {
  return trial.state == TrialState::failed ? failure_text(trial.failure, trial.failure_code) : "";
}

std::string state_text(const TrialView& trial) {
  const std::string reason = reason_text(trial);
  return to_string(trial.state) + (reason.empty() ? "" : " (" + reason + ")") + (trial.excluded ? ", excluded" : "");
}

std::string last_words(const AttemptEnd& end) {
  std::string tail = end.log_tail;
  tail.erase(tail.find_last_not_of(" \t\r\n") + 1);
  return one_line(tail.substr(tail.rfind('\n') + 1));
}

std::string failure_hint(const Trial& trial) {
  if (trial.state != TrialState::failed || !trial.detail.empty() || !trial.current() || !trial.current()->end)
    return one_line(trial.detail);
  return last_words(*trial.current()->end);
}

Json closing_metrics(const Trial& trial) {
  const Json metrics = Json::parse(trial.closing_metrics, nullptr, false);
  return metrics.is_object() ? metrics : Json::object();
}

std::string closing_text(const Trial& trial) {
  const Json metrics = closing_metrics(trial);
  std::string text;
  for (auto it = metrics.begin(); it != metrics.end(); ++it)
    text += (text.empty() ? "" : ", ") + one_line(it.key()) + " " + short_param(it.value());
  return text;
}

Json trial_json(const TrialView& trial) {
  return {{"number", trial.number},
          {"state", to_string(trial.state)},
          {"reason", text_or_null(reason_text(trial))},
          {"detail", text_or_null(trial.detail)},
          {"value", value_json(trial.value)},
          {"resource", number_json(trial.resource)},
          {"attempts", trial.attempts},
          {"retries", trial.retries},
          {"reports", trial.reports},
          {"created", time_json(trial.created)},
          {"started", time_json(trial.started)},
          {"ended", time_json(trial.ended)},
          {"host", trial.slot ? Json(trial.slot->host) : Json(nullptr)},
          {"slot", trial.slot ? Json(trial.slot->index) : Json(nullptr)},
          {"devices", trial.slot ? Json(trial.slot->devices) : Json::array()},
          {"excluded", trial.excluded},
          {"program", text_or_null(trial.program)},
          {"method", text_or_null(trial.method)},
          {"bracket", trial.bracket},
          {"params", trial.params}};
}

std::string trials_table(const std::vector<TrialView>& trials, const std::string& metric, const std::string& resource) {
  TextTable table({{"trial", Align::right},
                   {"state"},
                   {metric, Align::right},
                   {resource, Align::right},
                   {"attempts", Align::right},
                   {"params"}});
  for (const TrialView& trial : trials)
    table.add({std::to_string(trial.number), state_text(trial), short_value(trial.value),
               trial.resource > 0 ? short_number(trial.resource) : "-", std::to_string(trial.attempts),
               cut_to_width(params_text(trial.params), kParamsWidth)});
  return table.text();
}

}  // namespace hpsearch
