#include "dashboard/report_view.h"

#include "dashboard/text_table.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

Json other_metrics(const Reported& report) {
  if (report.other_metrics.empty()) return Json::object();
  Json others = Json::parse(report.other_metrics, nullptr, false);
  return others.is_object() ? others : Json::object();
}

Json report_metrics(const Reported& report, const std::string& metric) {
  Json metrics = Json::object();
  if (report.value) metrics[metric] = value_json(report.value);
  const Json others = other_metrics(report);
  for (auto it = others.begin(); it != others.end(); ++it) metrics[it.key()] = it.value();
  return metrics;
}

Json report_json(const LoggedReport& logged, const std::string& metric) {
  const Reported& report = logged.report;
  return {{"trial", report.trial},
          {"attempt", report.attempt},
          {"step", report.step ? number_json(*report.step) : Json(nullptr)},
          {"at", iso_time(report.reported_at)},
          {"counts", logged.counts},
          {"metrics", report_metrics(report, metric)},
          {"checkpoint", report.checkpoint.empty() ? Json(nullptr) : Json(report.checkpoint)}};
}

std::string reports_table(const std::vector<LoggedReport>& reports, const std::string& metric, const std::string& resource) {
  TextTable table({{resource, Align::right}, {metric, Align::right}, {"counts"}, {"attempt", Align::right}, {"time"},
                   {"checkpoint"}, {"other metrics"}});
  for (const auto& [report, counts] : reports)
    table.add({report.step ? short_number(*report.step) : "closing", short_value(report.value), counts ? "yes" : "no",
               std::to_string(report.attempt), local_time(report.reported_at),
               report.checkpoint.empty() ? "-" : report.checkpoint, params_text(other_metrics(report))});
  return table.text();
}

}  // namespace hpsearch
