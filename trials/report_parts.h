#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "trials/report.h"

namespace hpsearch {

// A step that can't be: negative, not a number, lower than an earlier one. The trial's program is wrong, and ends.
class BadStep : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// What every form of a report is checked by. All throw std::invalid_argument with a plain reason.
double read_step(std::string_view text);                       // Throws BadStep.
std::string read_checkpoint(std::string name);                 // `name` is not empty.
void add_metric(Report& report, std::string name, std::string_view value);
void check_report(const Report& report);

// Metrics as one JSON object: finite numbers as the shortest that reads back, others as text.
std::string metrics_text(const std::map<std::string, MetricValue>& metrics);

}  // namespace hpsearch
