#include "scheduler/hosts/output_scanner.h"

#include <optional>

#include "trials/json_scanner.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

// std::regex recurses once a character on some patterns: a long line would overflow the stack.
constexpr std::size_t kLongestMatch = 2048;

bool search(std::string_view line, std::cmatch& match, const std::regex& pattern) {
  try {
    return std::regex_search(line.data(), line.data() + line.size(), match, pattern);
  } catch (const std::regex_error&) {
    return false;  // Too costly on this line.
  }
}

std::optional<Report> matched(const std::cmatch& match, const std::vector<std::string>& as) {
  Report report;
  for (std::size_t group = 1; group < match.size() && group <= as.size(); ++group) {
    if (!match[group].matched) continue;
    const std::string value = match[group].str();
    if (!valid_utf8(value)) throw std::invalid_argument("not UTF-8");
    if (as[group - 1] == "step") report.step = read_step(value);
    else add_metric(report, as[group - 1], value);
  }
  return report.metrics.empty() ? std::nullopt : std::optional(std::move(report));
}

}  // namespace

OutputScanner::OutputScanner(const std::vector<CollectRule>& rules, const std::string& stream)
    : marked_(stream == "stdout") {
  for (const CollectRule& rule : rules)
    if (rule.stream == stream) rules_.push_back({std::regex(rule.pattern, std::regex::ECMAScript), rule.as});
}

std::vector<Report> OutputScanner::reports(std::string_view line) const {
  std::vector<Report> found;
  if (marked_)
    if (auto report = parse_report_line(line)) found.push_back(std::move(*report));
  const std::string_view head = line.substr(0, kLongestMatch);
  for (const Rule& rule : rules_) {
    std::cmatch match;
    if (!search(head, match, rule.pattern)) continue;
    if (auto report = matched(match, rule.as)) found.push_back(std::move(*report));
  }
  return found;
}

}  // namespace hpsearch
