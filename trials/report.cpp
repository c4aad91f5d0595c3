#include "trials/report.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "trials/json_scanner.h"
#include "trials/number.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {


void read_metrics(JsonScanner& scanner, Report& report) {
  scanner.open();
  while (auto name = scanner.next_key()) add_metric(report, std::move(*name), scanner.scalar());
}

bool null(JsonScanner& scanner, std::string& value) {
  const bool text = scanner.at_string();
  value = scanner.scalar();
  return !text && value == "null";
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

void append_value(std::string& out, const MetricValue& value) {
  if (value.finite()) out += format_number(value.number);
  else if (value.text.empty() && value.is_number) out += json_quoted(format_number(value.number));
  else out += json_quoted(value.text);
}

}  // namespace

double read_step(std::string_view text) {
  constexpr double kLargest = 9007199254740992.0;  // 2^53: beyond it steps would fall together.
  const std::optional<double> step = parse_number(text);
  if (!step || std::isnan(*step)) throw BadStep("step is not a number: \"" + std::string(text) + "\"");
  if (*step < 0) throw BadStep("step is negative: " + std::string(text));
  if (*step > kLargest) throw BadStep("step is beyond 2^53: " + std::string(text));
  return *step + 0.0;  // -0 becomes 0.
}

void add_metric(Report& report, std::string name, std::string_view value) {
  if (name.empty()) throw std::invalid_argument("a metric without a name");
  const auto [at, added] = report.metrics.try_emplace(std::move(name), MetricValue::parse(value));
  if (!added) throw std::invalid_argument("metric given twice: \"" + at->first + "\"");
}

std::string read_checkpoint(std::string name) {
  bool leaves = name.front() == '/' || name.find('\0') != std::string::npos;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    leaves = leaves || part == "." || part == "..";
    begin = end + 1;
  }
  if (leaves) throw std::invalid_argument("checkpoint is not a name inside the checkpoint folder: \"" + name + "\"");
  return name;
}

void check_report(const Report& report) {
  if (report.metrics.empty()) throw std::invalid_argument("no metrics in the report");
}

Report parse_report_json(std::string_view line) {
  JsonScanner scanner(line);
  Report report;
  std::string value;
  bool seen[3] = {};
  const auto once = [&](int key, const char* name) {
    if (std::exchange(seen[key], true)) throw std::invalid_argument(std::string("key given twice: \"") + name + "\"");
  };
  scanner.open();
  while (auto key = scanner.next_key()) {
    if (*key == "step") {
      once(0, "step");
      if (scanner.at_string()) throw BadStep("step is not a number: " + json_quoted(scanner.string()));
      if (!null(scanner, value)) report.step = read_step(value);
    } else if (*key == "metrics") {
      once(1, "metrics");
      read_metrics(scanner, report);
    } else if (*key == "checkpoint") {
      once(2, "checkpoint");
      if (!null(scanner, value) && !value.empty()) report.checkpoint = read_checkpoint(value);
    } else {
      throw std::invalid_argument("unknown key in the report: \"" + *key + "\"");
    }
  }
  scanner.finish();
  check_report(report);
  return report;
}

std::optional<Report> parse_report_line(std::string_view output_line) {
  if (output_line.substr(0, kReportMark.size()) != kReportMark) return std::nullopt;
  const std::string_view body = trimmed(output_line.substr(kReportMark.size()));
  return body.substr(0, 1) == "{" ? parse_report_json(body) : parse_report_words(body);
}

std::string report_text(const Report& report) {
  std::string out = "{";
  if (report.step) out += "\"step\":" + format_number(*report.step) + ',';
  out += "\"metrics\":" + metrics_text(report.metrics);
  if (!report.checkpoint.empty()) out += ",\"checkpoint\":" + json_quoted(report.checkpoint);
  return out + '}';
}

std::string metrics_text(const std::map<std::string, MetricValue>& metrics) {
  std::string out = "{";
  for (const auto& [name, value] : metrics) {
    if (out.size() > 1) out += ',';
    out += json_quoted(name) + ':';
    append_value(out, value);
  }
  return out + '}';
}

}  // namespace hpsearch
