#include "dashboard/try_report.h"

#include "dashboard/report_view.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

void note(TryReport& report, const Reported& e) {
  if (e.value) ++report.metrics[report.wanted_metric];
  const Json others = other_metrics(e);
  for (auto it = others.begin(); it != others.end(); ++it) ++report.metrics[it.key()];
  if (e.step) report.steps.push_back(*e.step);
  if (!e.checkpoint.empty()) report.checkpoint = e.checkpoint;
}

std::string outcome(const Trial& trial) {
  std::string text = to_string(trial.state);
  if (trial.failure != FailureReason::none) text += " (" + failure_text(trial.failure, trial.failure_code) + ")";
  return trial.detail.empty() ? text : text + ": " + trial.detail;
}

std::string metrics_line(const TryReport& report) {
  if (report.metrics.empty()) return "none (docs/trial-protocol.md tells how a program reports)";
  std::string text;
  for (const auto& [name, count] : report.metrics)
    text += (text.empty() ? "" : ", ") + name + " x" + std::to_string(count);
  return text;
}

std::string steps_line(const TryReport& report) {
  if (report.steps.empty()) return report.metrics.empty() ? "none" : "none: only closing values";
  return std::to_string(report.steps.size()) + ", from " + format_number(report.steps.front()) + " to " +
         format_number(report.steps.back());
}

std::string stop_line(const TryReport& report) {
  if (!report.told_to_stop) return "not tested: the program ended before it was told to stop";
  if (report.stopped_by_itself) return "the program ended by itself when told to";
  return "the program was told to stop and did not end by itself (one that only prints can't hear it): ended by TERM";
}

std::string checkpoint_line(const TryReport& report) {
  if (!report.checkpoint.empty()) return "\"" + report.checkpoint + "\"" + (report.checkpoint_declared ? "" : " (but trial.checkpoint is not true)");
  return report.checkpoint_declared ? "none named, though trial.checkpoint is true" : "none";
}

}  // namespace

TryReport observe_try(const Study& study, const std::vector<Event>& events) {
  TryReport report;
  report.wanted_metric = study.spec().metric().name;
  report.checkpoint_declared = study.spec().trial.checkpoint;
  for (const Event& event : events) {
    if (const auto* reported = event_as<Reported>(event)) note(report, *reported);
    if (const auto* rejected = event_as<ReportRejected>(event)) report.rejected.push_back(rejected->text);
  }
  if (study.trials().empty()) return report;
  const Trial& trial = study.trial(1);
  report.params = trial.suggestion.params;
  report.outcome = outcome(trial);
  if (trial.value && trial.value->finite()) report.value = trial.value->number;
  if (const Attempt* attempt = trial.current(); attempt && attempt->end) {
    report.told_to_stop = attempt->verdict.has_value();
    report.stopped_by_itself = report.told_to_stop && attempt->end->kind == EndKind::exited;
    report.log_tail = attempt->end->log_tail;
  }
  return report;
}

std::string try_text(const TryReport& report) {
  std::string text = "params:      " + report.params.dump() + "\n";
  text += "outcome:     " + report.outcome + "\n";
  text += "metrics:     " + metrics_line(report) + "\n";
  if (!report.metrics.count(report.wanted_metric)) text += "             \"" + report.wanted_metric + "\" was never reported\n";
  text += "steps:       " + steps_line(report) + "\n";
  text += "checkpoint:  " + checkpoint_line(report) + "\n";
  text += "stop:        " + stop_line(report) + "\n";
  for (const std::string& rejected : report.rejected) text += "refused:     " + rejected + "\n";
  if (report.value) text += "value:       " + format_number(*report.value) + "\n";
  return text;
}

Json try_json(const TryReport& report) {
  return {{"params", report.params},
          {"outcome", report.outcome},
          {"metrics", report.metrics},
          {"steps", report.steps},
          {"value", report.value ? Json(*report.value) : Json()},
          {"checkpoint", report.checkpoint},
          {"told_to_stop", report.told_to_stop},
          {"stopped_by_itself", report.stopped_by_itself},
          {"rejected", report.rejected},
          {"log_tail", report.log_tail}};
}

}  // namespace hpsearch
