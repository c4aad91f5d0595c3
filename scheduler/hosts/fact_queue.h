#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "trials/event.h"

namespace hpsearch {

// Facts on their way to the runner, oldest first. Whatever lives on the executor's io_context may push: attempts,
// signals, the control socket. Where somebody else is to have them, each goes there at once.
class FactQueue {
 public:
  FactQueue() = default;
  explicit FactQueue(std::function<void(Fact)> receiver) : receiver_(std::move(receiver)) {}

  void push(Fact fact) {
    if (receiver_) receiver_(std::move(fact));
    else facts_.push_back(std::move(fact));
  }

  std::optional<Fact> pop() {
    if (facts_.empty()) return std::nullopt;
    std::optional<Fact> fact(std::move(facts_.front()));
    facts_.pop_front();
    return fact;
  }

  bool empty() const { return facts_.empty(); }

 private:
  std::function<void(Fact)> receiver_;
  std::deque<Fact> facts_;
};

}  // namespace hpsearch
