#include "scheduler/hosts/unit_turns.h"

#include <algorithm>

namespace hpsearch {

UnitTurns::UnitTurns(const std::string& uuid, const DeviceTimes& times)
    : times_(times), queue_(uuid), random_(std::random_device{}()), pause_(times.away) {}

// Two that let a unit go for each other at the same time must not come back at the same time.
Span UnitTurns::varied(Span span) { return span + Span(std::uniform_int_distribution<Span::rep>(0, span.count() / 2)(random_)); }

void UnitTurns::let_go(Span now, bool idle) {
  since_ = now;
  until_ = now + varied(pause_);
  if (idle) pause_ = std::min(2 * pause_, times_.most_away);
}

bool UnitTurns::away(Span now, Span at_least) {
  if (until_ && now >= *until_) {
    const bool still_wanted = now - *since_ < at_least && awaited();
    until_ = still_wanted ? std::optional(now + varied(times_.away)) : std::nullopt;
  }
  return until_.has_value();
}

}  // namespace hpsearch
