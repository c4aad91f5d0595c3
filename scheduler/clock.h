#pragma once

#include "trials/time.h"

namespace hpsearch {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
};

class SystemClock : public Clock {
 public:
  Time now() const override { return std::chrono::time_point_cast<Span>(std::chrono::system_clock::now()); }
};

}  // namespace hpsearch
