#include "scheduler/hosts/events_line.h"

#include <stdexcept>

#include "trials/json_scanner.h"
#include "trials/number.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

std::int64_t integer(JsonScanner& scanner) {
  const auto value = parse_integer(scanner.token());
  if (!value || *value < 0) throw std::invalid_argument("not a whole number");
  return *value;
}

void read_metrics(JsonScanner& scanner, Report& report) {
  scanner.open();
  while (auto name = scanner.next_key()) add_metric(report, std::move(*name), scanner.scalar());
}

EventsLine read_line(std::string_view text) {
  JsonScanner scanner(text);
  EventsLine line;
  Report report;
  std::optional<Rejection> rejection;
  scanner.open();
  while (auto key = scanner.next_key()) {
    if (*key == "seq") line.seq = integer(scanner);
    else if (*key == "at") line.at = Time(Span(integer(scanner)));
    else if (*key == "step") report.step = read_step(scanner.token());
    else if (*key == "metrics") read_metrics(scanner, report);
    else if (*key == "checkpoint") report.checkpoint = scanner.string();
    else if (*key == "rejected") rejection = Rejection{scanner.string()};
    else throw std::invalid_argument("unknown key");
  }
  scanner.finish();
  if (rejection) line.body = std::move(*rejection);
  else line.body = std::move(report);
  return line;
}

}  // namespace

std::string events_text(const EventsLine& line) {
  std::string out = "{\"seq\":" + std::to_string(line.seq) + ",\"at\":" +
                    std::to_string(line.at.time_since_epoch().count()) + ',';
  if (const auto* rejection = std::get_if<Rejection>(&line.body))
    return out + "\"rejected\":" + json_quoted(rejection->text) + '}';
  return out + report_text(std::get<Report>(line.body)).substr(1);
}

std::optional<EventsLine> parse_events_line(std::string_view text) {
  try {
    EventsLine line = read_line(text);
    const auto* report = std::get_if<Report>(&line.body);
    if (line.seq == 0 || (report && report->metrics.empty())) return std::nullopt;
    return line;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

Fact fact_of(const EventsLine& line, int trial, int attempt, const std::string& metric) {
  if (const auto* rejection = std::get_if<Rejection>(&line.body))
    return ReportRejected{trial, attempt, line.seq, rejection->text};
  Report report = std::get<Report>(line.body);
  Reported fact;
  fact.trial = trial;
  fact.attempt = attempt;
  fact.attempt_seq = line.seq;
  fact.step = report.step;
  fact.checkpoint = report.checkpoint;
  fact.reported_at = line.at;
  if (auto own = report.metrics.extract(metric)) fact.value = std::move(own.mapped());
  if (!report.metrics.empty()) fact.other_metrics = metrics_text(report.metrics);
  return fact;
}

}  // namespace hpsearch
