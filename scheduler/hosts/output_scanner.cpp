#include "scheduler/hosts/output_scanner.h"

#include <optional>

#include "trials/json_scanner.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

std::optional<Report> matched(const std::vector<std::optional<std::string_view>>& groups, const std::vector<std::string>& as) {
  Report report;
  for (std::size_t i = 0; i < groups.size() && i < as.size(); ++i) {
    if (!groups[i]) continue;
    const std::string value(*groups[i]);
    if (!valid_utf8(value)) throw std::invalid_argument("not UTF-8");
    if (as[i] == "step") report.step = read_step(value);
    else add_metric(report, as[i], value);
  }
  return report.metrics.empty() ? std::nullopt : std::optional(std::move(report));
}

}  // namespace

OutputScanner::OutputScanner(const std::vector<CollectRule>& rules, const std::string& stream)
    : marked_(stream == "stdout") {
  for (const CollectRule& rule : rules)
    if (rule.stream == stream) rules_.push_back({Pattern(rule.pattern), rule.as});
}

std::vector<Report> OutputScanner::reports(std::string_view line) const {
  std::vector<Report> found;
  if (marked_)
    if (auto report = parse_report_line(line)) found.push_back(std::move(*report));
  for (const Rule& rule : rules_) {
    const auto groups = rule.pattern.search(line);
    if (!groups) continue;
    if (auto report = matched(*groups, rule.as)) found.push_back(std::move(*report));
  }
  return found;
}

}  // namespace hpsearch
