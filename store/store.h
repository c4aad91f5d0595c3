#pragma once

#include <functional>
#include <vector>

#include "trials/event.h"

namespace hpsearch {

// An append-only event log. Implementations: SqliteStore, MemoryStore.
class Store {
 public:
  virtual ~Store() = default;
  // All or nothing, durable on return. Seqs follow on each other. Throws std::runtime_error when the machine fails
  // (disk full, damage); nothing of the batch is then stored.
  virtual void append(const std::vector<Event>& batch) = 0;
  // Events in the order of seq.
  virtual void read(const std::function<void(const Event&)>& visit) const = 0;
};

class MemoryStore : public Store {
 public:
  void append(const std::vector<Event>& batch) override { events_.insert(events_.end(), batch.begin(), batch.end()); }
  void read(const std::function<void(const Event&)>& visit) const override {
    for (const Event& event : events_) visit(event);
  }

 private:
  std::vector<Event> events_;
};

}  // namespace hpsearch
