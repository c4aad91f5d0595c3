#include "store/report_row.h"

#include "trials/number.h"

namespace hpsearch {

namespace {

std::int64_t milliseconds(Time time) { return time.time_since_epoch().count(); }

std::optional<std::string_view> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

}  // namespace

std::optional<double> number_column(const std::optional<MetricValue>& value) {
  return value && value->finite() ? std::optional(value->number) : std::nullopt;
}

std::optional<std::string> text_column(const std::optional<MetricValue>& value) {
  if (!value || value->finite()) return std::nullopt;
  return value->is_number && value->text.empty() ? format_number(value->number) : value->text;
}

std::optional<MetricValue> value_of_columns(const Statement& row, int number, int text) {
  if (!row.null(number)) return MetricValue(row.real(number));
  if (!row.null(text)) return MetricValue::parse(row.text(text));
  return std::nullopt;
}

void insert_report(Statement& insert, const Event& event, const Reported& report) {
  insert
      .bind(event.seq, milliseconds(event.at), report.trial, report.attempt, report.attempt_seq, report.step,
            number_column(report.value), text_column(report.value), unless_empty(report.other_metrics),
            unless_empty(report.checkpoint), milliseconds(report.reported_at))
      .run();
}

Event report_event(const Statement& select) {
  Reported report;
  report.trial = static_cast<int>(select.integer(2));
  report.attempt = static_cast<int>(select.integer(3));
  report.attempt_seq = static_cast<std::uint64_t>(select.integer(4));
  if (!select.null(5)) report.step = select.real(5);
  report.value = value_of_columns(select, 6, 7);
  report.other_metrics = select.text(8);
  report.checkpoint = select.text(9);
  report.reported_at = Time(Span(select.integer(10)));
  return {static_cast<Seq>(select.integer(0)), Time(Span(select.integer(1))), Fact(std::move(report))};
}

}  // namespace hpsearch
