#pragma once

#include "store/sqlite.h"
#include "trials/event.h"

namespace hpsearch {

// A report as a row of the table `report`: numbers as they are, whatever is not a finite number as text.
inline constexpr const char* kInsertReport = "INSERT INTO report VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
inline constexpr const char* kSelectReports =
    "SELECT seq, at, trial, attempt, attempt_seq, step, value, value_text, other, checkpoint, reported_at FROM report";

void insert_report(Statement& insert, const Event& event, const Reported& report);

// The row that `select` stands at.
Event report_event(const Statement& select);

// The two columns of a metric value: a number or a text, or neither.
std::optional<double> number_column(const std::optional<MetricValue>& value);
std::optional<std::string> text_column(const std::optional<MetricValue>& value);
std::optional<MetricValue> value_of_columns(const Statement& row, int number, int text);

}  // namespace hpsearch
