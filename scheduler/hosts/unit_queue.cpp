#include "scheduler/hosts/unit_queue.h"

#include <utility>

#include "scheduler/hosts/lock_file.h"
#include "scheduler/hosts/range_lock.h"
#include "scheduler/hosts/unit_lock.h"

namespace hpsearch {

namespace {

constexpr ByteRange kWaiting{kUnitParts, kUnitParts + 1};  // Behind the parts, in the same file.

}  // namespace

UnitQueue::UnitQueue(const std::string& uuid) : name_(lock_name(uuid)) {}

// Opened anew, and waited at, when somebody removed the file.
int UnitQueue::file() {
  if (file_.open() && still_named(file_, name_)) return file_.get();
  file_ = open_lock_file(name_);
  if (joined_) lock_range(file_.get(), kWaiting, RangeLock::shared);
  return file_.get();
}

void UnitQueue::join() {
  if (!std::exchange(joined_, true)) lock_range(file(), kWaiting, RangeLock::shared);
}

void UnitQueue::leave() {
  if (std::exchange(joined_, false)) lock_range(file(), kWaiting, RangeLock::none);
}

bool UnitQueue::others() { return conflict_in(file(), kWaiting).has_value(); }

}  // namespace hpsearch
