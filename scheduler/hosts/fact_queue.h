#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "trials/event.h"

namespace hpsearch {

// Facts on their way to the runner, oldest first. Whatever lives on the executor's io_context may push: attempts,
// signals, the control socket.
class FactQueue {
 public:
  void push(Fact fact) { facts_.push_back(std::move(fact)); }

  std::optional<Fact> pop() {
    if (facts_.empty()) return std::nullopt;
    std::optional<Fact> fact(std::move(facts_.front()));
    facts_.pop_front();
    return fact;
  }

  bool empty() const { return facts_.empty(); }

 private:
  std::deque<Fact> facts_;
};

}  // namespace hpsearch
