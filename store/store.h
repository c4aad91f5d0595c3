#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "trials/event.h"

namespace hpsearch {

// An append-only event log. Implementations: SqliteStore, MemoryStore.
class Store {
 public:
  virtual ~Store() = default;
  // All or nothing, durable on return. Seqs follow on each other from 1, else std::logic_error. Throws
  // std::runtime_error when the machine fails (disk full, damage). Nothing of the batch is then stored.
  virtual void append(const std::vector<Event>& batch) = 0;
  // Events in the order of seq.
  virtual void read(const std::function<void(const Event&)>& visit) const = 0;
};

// Throws std::logic_error unless the seqs of `batch` go on from `last`.
inline void check_order(Seq last, const std::vector<Event>& batch) {
  for (const Event& event : batch)
    if (event.seq != ++last)
      throw std::logic_error("event " + std::to_string(event.seq) + " where " + std::to_string(last) + " follows");
}

class MemoryStore : public Store {
 public:
  void append(const std::vector<Event>& batch) override {
    check_order(events_.empty() ? 0 : events_.back().seq, batch);
    events_.insert(events_.end(), batch.begin(), batch.end());
  }
  void read(const std::function<void(const Event&)>& visit) const override {
    for (const Event& event : events_) visit(event);
  }

 private:
  std::vector<Event> events_;
};

}  // namespace hpsearch
