#pragma once

#include <optional>
#include <random>
#include <string>

#include "scheduler/hosts/device_options.h"
#include "scheduler/hosts/unit_queue.h"

namespace hpsearch {

// How studies take turns at a unit: who has not got it waits in its queue; who lets it go for that stays away from it long
// enough for the other to come in. Throws as UnitQueue does.
class UnitTurns {
 public:
  UnitTurns(const std::string& uuid, const DeviceTimes& times);

  void wait(bool waiting) { waiting ? queue_.join() : queue_.leave(); }
  bool awaited() { return queue_.others(); }

  // It is one of several that are collected for a trial; see UnitQueue.
  void reserve(std::optional<std::int64_t> ticket) { queue_.reserve(ticket); }
  // Left to somebody who collects it, and who came before `ticket`.
  bool reserved(std::optional<std::int64_t> ticket) { return queue_.reserved(ticket); }

  // The unit was let go at `now`; `idle`: before any trial had run on it.
  void let_go(Span now, bool idle);
  // Whether the last time is long enough ago: who waited for a part of the unit has got it by now, and waits no more.
  bool may_let_go(Span now) const { return !since_ || now - *since_ > times_.idle; }
  // A trial got it: the next time away is short again.
  void used() { pause_ = times_.away; }
  // Whether it still is to be left to others; so long at least while somebody waits for it.
  bool away(Span now, Span at_least);

 private:
  Span varied(Span span);

  const DeviceTimes& times_;
  UnitQueue queue_;
  std::minstd_rand random_;
  Span pause_;
  std::optional<Span> since_, until_;        // Away.
};

}  // namespace hpsearch
