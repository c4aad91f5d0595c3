#include "dashboard/trial_details.h"

#include <algorithm>

#include "dashboard/attempt_view.h"
#include "dashboard/report_view.h"
#include "dashboard/text_width.h"
#include "dashboard/trial_view.h"
#include "dashboard/value_text.h"
#include "trials/command.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

std::string detail_row(const std::string& title, const std::string& text) {
  return text.empty() ? "" : pad_right(title, std::max<std::size_t>(10, text_width(title) + 1)) + one_line(text) + "\n";
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "\n" + title + "\n" + body;
}

std::string resource_name(const Study& study) {
  return study.spec().resource ? study.spec().resource->name : "step";
}

std::string value_text(const Trial& trial) {
  return exact_value(trial.value) + " (last " + short_value(trial.last) + ", best " + short_value(trial.best) + ")";
}

std::string times_text(const TrialView& view) {
  const auto text = [](const std::optional<Time>& time) { return time ? local_time(*time) : std::string("-"); };
  return "created " + text(view.created) + ", started " + text(view.started) + ", ended " + text(view.ended);
}

std::string head(const TrialDetails& details) {
  const TrialView view = view_of(details.trial);
  std::string text = "trial " + std::to_string(view.number) + ": " + state_text(view) + "\n";
  text += detail_row("detail", view.detail);
  if (view.value) text += detail_row(details.study.spec().metric().name, value_text(details.trial));
  if (view.resource > 0) text += detail_row(resource_name(details.study), format_number(view.resource));
  text += detail_row("closing", closing_text(details.trial));
  text += detail_row("times", times_text(view));
  text += detail_row("suggested", view.method + ": " + details.trial.suggestion.reason);
  text += detail_row("program", view.program);
  return text + detail_row("folder", details.folder);
}

std::string params_lines(const Json& params) {
  std::string text;
  for (auto it = params.begin(); it != params.end(); ++it)
    text += "  " + one_line(it.key()) + " = " + one_line(argument_text(it.value())) + "\n";
  return text;
}

}  // namespace

std::string details_text(const TrialDetails& details) {
  const std::string metric = details.study.spec().metric().name;
  const std::vector<LoggedReport>& reports = details.log.reports();
  std::string text = head(details) + section("params", params_lines(details.trial.suggestion.params));
  if (!details.trial.attempts.empty())
    text += section("attempts", attempts_text(details.trial, details.attempt_folders));
  text += section("rungs", visits_table(details.visits, resource_name(details.study), metric));
  if (!reports.empty()) text += section("reports", reports_table(reports, metric, resource_name(details.study)));
  return text;
}

Json details_json(const TrialDetails& details) {
  Json json = trial_json(view_of(details.trial));
  json["last"] = value_json(details.trial.last);
  json["best"] = value_json(details.trial.best);
  json["suggestion"] = {{"reason", details.trial.suggestion.reason},
                        {"unit", details.trial.suggestion.unit},
                        {"fitted", details.trial.suggestion.fitted}};
  json["closing_metrics"] = closing_metrics(details.trial);
  json["folder"] = details.folder;
  json["attempt_list"] = attempts_json(details.trial, details.attempt_folders);
  json["rungs"] = visits_json(details.visits);
  json["report_list"] = Json::array();
  for (const LoggedReport& report : details.log.reports())
    json["report_list"].push_back(report_json(report, details.study.spec().metric().name));
  return json;
}

}  // namespace hpsearch
