#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "trials/event.h"
#include "trials/report.h"

namespace hpsearch {

// A report that was refused: why, and what it was.
struct Rejection {
  std::string text;
  bool operator==(const Rejection&) const = default;
};

// One line of events.jsonl: {"seq":3,"at":1700000000000,"step":2,"metrics":{"loss":0.5}} or {"seq":..,"at":..,
// "rejected":"step is negative: -1"}. seq counts the lines from 1.
struct EventsLine {
  std::uint64_t seq = 0;
  Time at{};
  std::variant<Report, Rejection> body;
  bool operator==(const EventsLine&) const = default;
};

// Without a newline.
std::string events_text(const EventsLine& line);
// None when the line is torn, damaged or not ours.
std::optional<EventsLine> parse_events_line(std::string_view text);

// The fact that a line tells; `metric` is the study's first.
Fact fact_of(const EventsLine& line, int trial, int attempt, const std::string& metric);

}  // namespace hpsearch
