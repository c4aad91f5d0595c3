#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "trials/metric_value.h"

namespace hpsearch {

// One report of a trial, as protocol version 1 carries it: {"step": 3, "metrics": {"val_accuracy": 0.91},
// "checkpoint": "e3"}. Without a step it is a closing value.
struct Report {
  std::optional<double> step;                   // Resource spent over the trial's life; finite, 0 to 2^53.
  std::map<std::string, MetricValue> metrics;   // At least one.
  std::string checkpoint;                       // Name under the attempt's checkpoint/; empty for none.

  bool operator==(const Report&) const = default;
};

// Reads one JSON object. NaN, Infinity, +3 and text are accepted as metric values (text that is no number is kept as
// sent). Throws std::invalid_argument with a plain reason: not JSON, no metrics, a key given twice, an unknown key, a
// step that is negative or not a number, a checkpoint name that leaves its folder.
Report parse_report_json(std::string_view line);

// Reads words: "step=3 val_accuracy=0.91 checkpoint=e3". Quotes ("...") keep blanks in names and values.
Report parse_report_words(std::string_view line);

inline constexpr std::string_view kReportMark = "hpsearch:";

// The part after "hpsearch:" of a line of standard output: a JSON object or words. None if the line is no report.
std::optional<Report> parse_report_line(std::string_view output_line);

// The JSON form, one line without a newline: finite numbers as the shortest that reads back, others as text.
std::string report_text(const Report& report);

}  // namespace hpsearch
