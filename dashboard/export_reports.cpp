#include "dashboard/export_reports.h"

#include <algorithm>

#include "dashboard/csv.h"
#include "dashboard/report_view.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

void MetricNames::apply(const Event& event) {
  const Reported* report = event_as<Reported>(event);
  if (!report || report->other_metrics.empty()) return;
  const Json others = other_metrics(*report);
  for (auto it = others.begin(); it != others.end(); ++it) others_.insert(it.key());
}

std::vector<std::string> MetricNames::ordered(const StudySpec& spec) const {
  std::vector<std::string> names;
  for (const Metric& metric : spec.metrics) names.push_back(metric.name);
  for (const std::string& name : others_)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

ReportExport::ReportExport(ExportFormat format, std::string study, std::vector<std::string> metrics)
    : format_(format), study_(std::move(study)), metrics_(std::move(metrics)) {}

std::string ReportExport::head() const {
  switch (format_) {
    case ExportFormat::json: return "{\"study\": " + Json(study_).dump() + ", \"reports\": [";
    case ExportFormat::csv: break;
  }
  std::vector<std::string> columns{"trial", "attempt", "step", "at", "counts", "checkpoint"};
  for (const std::string& name : metrics_) columns.push_back("metrics." + name);
  return csv_record(columns);
}

std::string ReportExport::row(const LoggedReport& logged) {
  if (format_ == ExportFormat::csv) return csv_row(logged);
  const std::string separator = std::exchange(first_, false) ? "\n" : ",\n";
  return separator + compact(report_json(logged, metrics_.front()));
}

std::string ReportExport::tail() const { return format_ == ExportFormat::json ? "\n]}\n" : ""; }

std::string ReportExport::csv_row(const LoggedReport& logged) const {
  const Reported& report = logged.report;
  const Json metrics = report_metrics(report, metrics_.front());
  std::vector<std::string> fields{std::to_string(report.trial), std::to_string(report.attempt),
                                  report.step ? format_number(*report.step) : "", iso_time(report.reported_at),
                                  logged.counts ? "true" : "false", report.checkpoint};
  for (const std::string& name : metrics_) {
    const auto found = metrics.find(name);
    fields.push_back(found == metrics.end() ? "" : csv_value(*found));
  }
  return csv_record(fields);
}

}  // namespace hpsearch
