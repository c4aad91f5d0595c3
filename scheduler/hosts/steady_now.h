#pragma once

#include <chrono>

#include "trials/time.h"

namespace hpsearch {

// Milliseconds of a clock that never jumps and stands still while the machine sleeps.
inline Span steady_now() {
  return std::chrono::duration_cast<Span>(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace hpsearch
