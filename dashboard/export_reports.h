#pragma once

#include <set>
#include <string>
#include <vector>

#include "dashboard/trial_log.h"
#include "trials/spec.h"

namespace hpsearch {

enum class ExportFormat { csv, json };

// Which metrics the reports of a log carry. A first pass; its answer does not depend on the order of reports.
class MetricNames {
 public:
  void apply(const Event& event);
  // The space file's metrics in its order, then the others by name.
  std::vector<std::string> ordered(const StudySpec& spec) const;

 private:
  std::set<std::string> others_;
};

// The text of an export with one row a report, piece by piece: head, row for each, tail.
class ReportExport {
 public:
  ReportExport(ExportFormat format, std::string study, std::vector<std::string> metrics);

  std::string head() const;
  std::string row(const LoggedReport& logged);
  std::string tail() const;

 private:
  std::string csv_row(const LoggedReport& logged) const;

  ExportFormat format_;
  std::string study_;
  std::vector<std::string> metrics_;           // The first one is the study's.
  bool first_ = true;
};

}  // namespace hpsearch
