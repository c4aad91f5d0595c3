#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "trials/event.h"
#include "trials/study.h"

namespace hpsearch {

struct Tick {};  // The deadline passed without news.

// Where attempts run. Only `wait` waits; the others act at once and their outcome comes back as facts.
// Reports of one attempt arrive in order of attempt_seq; a fact may come twice (the fold drops the second).
class Executor {
 public:
  virtual ~Executor() = default;
  // The plan is already in the log. A failure to start comes back as AttemptEnded{launch_failed}.
  virtual void start(const Study& study, const AttemptPlanned& plan) = 0;
  // A verdict on a report, or an order to end. Unknown or ended attempts are ignored.
  virtual void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) = 0;
  // After a restart: takes up a live attempt of the log. Its missed facts follow, or AttemptEnded{lost} if nothing is
  // left of it (never started: detail "never started").
  virtual void adopt(const Study& study, const Trial& trial, const Attempt& attempt) = 0;
  // The next fact, or Tick at `deadline` (none: waits for a fact). A deadline in the past polls.
  virtual std::variant<Fact, Tick> wait(std::optional<Time> deadline) = 0;
};

}  // namespace hpsearch
