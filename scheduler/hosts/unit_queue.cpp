#include "scheduler/hosts/unit_queue.h"

#include <utility>

#include "scheduler/hosts/lock_file.h"
#include "scheduler/hosts/range_lock.h"
#include "scheduler/hosts/unit_lock.h"

namespace hpsearch {

namespace {

constexpr ByteRange kWaiting{kUnitParts, kUnitParts + 1};  // Behind the parts, in the same file.
constexpr std::int64_t kLastTicket = std::int64_t{1} << 61;
constexpr off_t kTickets = off_t{1} << 61;                 // Behind all that, a byte for each ticket there may be.

ByteRange byte_of(std::int64_t ticket) { return {kTickets + ticket, kTickets + ticket + 1}; }

}  // namespace

UnitQueue::UnitQueue(const std::string& uuid) : name_(lock_name(uuid)) {}

// Opened anew, and waited at, when somebody removed the file.
int UnitQueue::file() {
  if (file_.open() && still_named(file_, name_)) return file_.get();
  file_ = open_lock_file(name_);
  if (joined_) lock_range(file_.get(), kWaiting, RangeLock::shared);
  if (ticket_) lock_range(file_.get(), byte_of(*ticket_), RangeLock::shared);
  return file_.get();
}

void UnitQueue::join() {
  if (!std::exchange(joined_, true)) lock_range(file(), kWaiting, RangeLock::shared);
}

void UnitQueue::leave() {
  if (std::exchange(joined_, false)) lock_range(file(), kWaiting, RangeLock::none);
}

bool UnitQueue::others() { return conflict_in(file(), kWaiting).has_value(); }

void UnitQueue::reserve(std::optional<std::int64_t> ticket) {
  if (ticket == ticket_) return;
  if (ticket_) lock_range(file(), byte_of(*ticket_), RangeLock::none);
  ticket_ = ticket;
  if (ticket_) lock_range(file(), byte_of(*ticket_), RangeLock::shared);
}

bool UnitQueue::reserved(std::optional<std::int64_t> ticket) {
  return conflict_in(file(), {kTickets, ticket ? kTickets + *ticket : kTickets + kLastTicket}).has_value();
}

}  // namespace hpsearch
