#include "scheduler/hosts/local_attempt.h"

#include <unistd.h>

#include "scheduler/clock.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/unix_socket.h"

namespace hpsearch {

namespace {

constexpr Span kReconnect{50};
constexpr Span kPatience{5'000};  // For a keeper that lives and does not answer.

}  // namespace

LocalAttempt::LocalAttempt(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, AttemptName name,
                           std::string id, std::uint64_t seen, std::string metric)
    : io_(io),
      facts_(facts),
      folder_(std::move(folder)),
      name_(name),
      id_(std::move(id)),
      seen_(seen),
      metric_(std::move(metric)),
      timer_(io),
      insistence_(io) {}

void LocalAttempt::attach(const std::string& socket) {
  socket_ = socket;
  if (!connect()) recover();
}

bool LocalAttempt::connect() {
  if (socket_.empty()) return false;
  FileDescriptor socket = connect_to(socket_);
  if (!socket.open()) return false;
  link_ = std::make_unique<AttemptLink>(io_, std::move(socket), name_, seen_, metric_, facts_,
                                        [this](AttemptLink::Close how) { unlinked(how); });
  linked_ = true;
  for (const SchedulerWord& word : unsent_) link_->tell(word);
  unsent_.clear();
  return true;
}

void LocalAttempt::tell(const SchedulerWord& word) {
  if (const auto* order = std::get_if<OrderWord>(&word); order && order->order == OrderKind::kill) insist();
  if (linked_) link_->tell(word);
  else unsent_.push_back(word);
}

// A keeper that is suspended or stuck kills nobody: then it is ended too.
void LocalAttempt::insist() {
  insistence_.expires_after(kPatience);
  insistence_.async_wait([this](const auto& error) {
    if (error || over_ || remains_) return;
    timer_.cancel();
    if (link_) seen_ = link_->seen();
    linked_ = false;
    link_.reset();
    end_remains("its keeper did not obey");
  });
}

void LocalAttempt::unlinked(AttemptLink::Close how) {
  linked_ = false;
  seen_ = link_->seen();
  over_ = how == AttemptLink::Close::ended;
  if (!over_) retry_soon();
}

void LocalAttempt::retry_soon() {
  timer_.expires_after(kReconnect);
  timer_.async_wait([this](const auto& error) {
    if (!error && !connect()) recover();
  });
}

void LocalAttempt::recover() {
  const Span now = steady_now();
  if (!searching_since_) searching_since_ = now;
  switch (keeper_trace(folder_)) {
    case KeeperTrace::ended:
      over_ = collect_left_behind(folder_, name_, seen_, metric_, facts_);
      return;
    case KeeperTrace::running:
      if (now - *searching_since_ < kPatience) return retry_soon();
      return end_remains("its keeper does not answer");
    case KeeperTrace::never_started: return end_remains("never started");
    case KeeperTrace::gone: return end_remains("its keeper is gone");
  }
}

void LocalAttempt::end_remains(const std::string& detail) {
  remains_ = std::make_unique<RemainsEnder>(io_, id_, [this, detail] { lost(detail); });
}

void LocalAttempt::lost(const std::string& detail) {
  over_ = true;
  if (!socket_.empty()) ::unlink(socket_.c_str());
  if (collect_left_behind(folder_, name_, seen_, metric_, facts_)) return;
  facts_.push(ended_fact(name_, {{EndKind::lost, 0, false, detail, ""}, SystemClock().now()}));
}

}  // namespace hpsearch
