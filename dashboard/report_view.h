#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dashboard/trial_log.h"

namespace hpsearch {

// The metrics of a report beside the study's first one; an empty object when there are none.
Json other_metrics(const Reported& report);

// Every metric of a report by name, the study's first one first. What is not finite is text.
Json report_metrics(const Reported& report, const std::string& metric);
Json report_json(const LoggedReport& logged, const std::string& metric);

// A table with one row a report.
std::string reports_table(const std::vector<LoggedReport>& reports, const std::string& metric, const std::string& resource);

}  // namespace hpsearch
