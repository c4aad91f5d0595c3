#pragma once

#include <cstdint>

#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

// Waiting for something that takes as long as it takes: it is given up when it has made no progress for a while.
class Patience {
 public:
  explicit Patience(Span most) : most_(most), until_(steady_now() + most) {}

  // `progress`: any number that changes as it goes on.
  bool left(std::uint64_t progress) {
    if (progress != seen_) until_ = steady_now() + most_;
    seen_ = progress;
    return steady_now() < until_;
  }

 private:
  Span most_, until_;
  std::uint64_t seen_ = 0;
};

}  // namespace hpsearch
