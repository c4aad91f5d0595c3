#pragma once

#include <optional>

#include "trials/time.h"

namespace hpsearch {

// An attempt's running time and its limits, on a steady clock in milliseconds. Time spent waiting for a verdict is
// neither running time nor silence; the limit of time counts it.
class RunClock {
 public:
  RunClock(Span now, std::optional<Span> trial_time, std::optional<Span> silence)
      : start_(now), heard_(now), trial_time_(trial_time), silence_(silence) {}

  void heard(Span now) { heard_ = now; }
  void begin_wait(Span now) {
    if (!waiting_) waiting_since_ = now;
    waiting_ = true;
  }
  void end_wait(Span now) {
    if (!waiting_) return;
    waited_ += now - waiting_since_;
    waiting_ = false;
    heard_ = now;
  }

  // Without the waits.
  Span running(Span now) const { return now - start_ - waited_ - (waiting_ ? now - waiting_since_ : Span(0)); }

  std::optional<Span> time_limit() const {
    return trial_time_ ? std::optional(start_ + *trial_time_) : std::nullopt;
  }
  std::optional<Span> silence_limit() const {
    return silence_ && !waiting_ ? std::optional(heard_ + *silence_) : std::nullopt;
  }

 private:
  Span start_, heard_;
  Span waited_{0}, waiting_since_{0};
  bool waiting_ = false;
  std::optional<Span> trial_time_, silence_;
};

}  // namespace hpsearch
