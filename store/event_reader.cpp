#include "store/event_reader.h"

#include "store/errors.h"
#include "store/report_row.h"

namespace hpsearch {

EventReader::EventReader(Database& database)
    : database_(database),
      events_(database, "SELECT seq, at, kind, body FROM event ORDER BY seq"),
      reports_(database, std::string(kSelectReports) + " ORDER BY seq"),
      event_ready_(events_.step()),
      report_ready_(reports_.step()) {}

std::optional<Event> EventReader::next() {
  if (!event_ready_ && !report_ready_) return std::nullopt;
  const bool report_first = report_ready_ && (!event_ready_ || reports_.integer(0) < events_.integer(0));
  std::optional<Event> event = report_first ? report_event(reports_) : read_event();
  if (report_first) report_ready_ = reports_.step();
  else event_ready_ = events_.step();
  return event;
}

Event EventReader::read_event() {
  const Seq seq = static_cast<Seq>(events_.integer(0));
  try {
    const Json body = Json::parse(events_.text(3));
    return {seq, Time(Span(events_.integer(1))), parse_event(std::string(events_.text(2)), body)};
  } catch (const std::exception& error) {
    throw DamagedStudy(database_.file(), "event " + std::to_string(seq) + ": " + error.what());
  }
}

}  // namespace hpsearch
