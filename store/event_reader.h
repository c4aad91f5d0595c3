#pragma once

#include <optional>

#include "store/sqlite.h"
#include "trials/event.h"

namespace hpsearch {

// The log in the order of seq, merged from the tables `event` and `report`, one event at a time.
class EventReader {
 public:
  explicit EventReader(Database& database);

  // None at the end. Throws DamagedStudy for a row that is no event of ours.
  std::optional<Event> next();

 private:
  Event read_event();

  Database& database_;
  Statement events_, reports_;
  bool event_ready_, report_ready_;
};

}  // namespace hpsearch
