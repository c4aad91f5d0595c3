#include "dashboard/export_trials.h"

#include <array>

#include "dashboard/csv.h"
#include "dashboard/trial_view.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr std::array kFixed{"number",  "state",   "reason", "detail", "value",    "last",    "best",   "resource", "attempts",
                            "retries", "reports", "created", "started", "ended",  "host",    "slot",   "devices",  "excluded",
                            "program", "method",  "bracket"};

std::string time_field(const std::optional<Time>& time) { return time ? iso_time(*time) : ""; }

std::string devices_field(const std::optional<Slot>& slot) {
  std::string text;
  if (slot)
    for (const std::string& device : slot->devices) text += (text.empty() ? "" : " ") + device;
  return text;
}

// In the order of kFixed.
std::vector<std::string> fixed_fields(const Trial& trial) {
  const TrialView view = view_of(trial);
  return {std::to_string(view.number),
          to_string(view.state),
          reason_text(view),
          view.detail,
          exact_value(view.value),
          exact_value(trial.last),
          exact_value(trial.best),
          format_number(view.resource),
          std::to_string(view.attempts),
          std::to_string(view.retries),
          std::to_string(view.reports),
          time_field(view.created),
          time_field(view.started),
          time_field(view.ended),
          view.slot ? view.slot->host : "",
          view.slot ? std::to_string(view.slot->index) : "",
          devices_field(view.slot),
          view.excluded ? "true" : "false",
          view.program,
          view.method,
          std::to_string(view.bracket)};
}

std::vector<std::string> fields(const Study& study, const Trial& trial) {
  std::vector<std::string> row = fixed_fields(trial);
  for (const Param& param : study.spec().space.params) {
    const auto found = trial.suggestion.params.find(param.name);
    row.push_back(found == trial.suggestion.params.end() ? "" : csv_value(*found));
  }
  return row;
}

Json row_json(const Trial& trial) {
  Json row = trial_json(view_of(trial));
  row["last"] = value_json(trial.last);
  row["best"] = value_json(trial.best);
  return row;
}

}  // namespace

std::vector<std::string> export_columns(const Study& study) {
  std::vector<std::string> columns(kFixed.begin(), kFixed.end());
  for (const Param& param : study.spec().space.params) columns.push_back("params." + param.name);
  return columns;
}

std::string export_csv(const Study& study) {
  std::string text = csv_record(export_columns(study));
  for (const Trial& trial : study.trials()) text += csv_record(fields(study, trial));
  return text;
}

Json export_json(const Study& study) {
  Json rows = Json::array();
  for (const Trial& trial : study.trials()) rows.push_back(row_json(trial));
  return {{"study", study.name()},
          {"metric", study.spec().metric().name},
          {"goal", study.spec().maximize() ? "maximize" : "minimize"},
          {"trials", std::move(rows)}};
}

}  // namespace hpsearch
