#include "scheduler/hosts/kept_attempt.h"

#include <unistd.h>

#include "scheduler/clock.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/unix_socket.h"

namespace hpsearch {

namespace {

constexpr Span kReconnect{50};
constexpr Span kPatience{5'000};  // For a keeper that lives and does not answer.

}  // namespace

KeptAttempt::KeptAttempt(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, AttemptName name,
                         std::string id, std::uint64_t seen, std::string metric, std::function<void()> over)
    : io_(io),
      facts_(facts),
      folder_(std::move(folder)),
      name_(name),
      id_(std::move(id)),
      seen_(seen),
      metric_(std::move(metric)),
      timer_(io),
      insistence_(io),
      on_over_(std::move(over)) {}

void KeptAttempt::attach(const std::string& socket) {
  socket_ = socket;
  if (!connect()) recover();
}

bool KeptAttempt::connect() {
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

void KeptAttempt::tell(const SchedulerWord& word) {
  if (const auto* order = std::get_if<OrderWord>(&word); order && order->order == OrderKind::kill) insist();
  if (linked_) link_->tell(word);
  else unsent_.push_back(word);
}

// A keeper that is suspended or stuck kills nobody: then it is ended too.
void KeptAttempt::insist() {
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

void KeptAttempt::unlinked(AttemptLink::Close how) {
  linked_ = false;
  seen_ = link_->seen();
  if (how == AttemptLink::Close::ended) end();
  else retry_soon();
}

void KeptAttempt::end() {
  over_ = true;
  on_over_();
}

void KeptAttempt::retry_soon() {
  timer_.expires_after(kReconnect);
  timer_.async_wait([this](const auto& error) {
    if (!error && !connect()) recover();
  });
}

void KeptAttempt::recover() {
  const Span now = steady_now();
  if (!searching_since_) searching_since_ = now;
  switch (keeper_trace(folder_)) {
    case KeeperTrace::ended:
      if (collect_left_behind(folder_, name_, seen_, metric_, facts_)) end();
      return;
    case KeeperTrace::running:
      if (now - *searching_since_ < kPatience) return retry_soon();
      return end_remains("its keeper does not answer");
    case KeeperTrace::never_started: return end_remains("never started");
    case KeeperTrace::gone: return end_remains("its keeper is gone");
  }
}

void KeptAttempt::end_remains(const std::string& detail) {
  remains_ = std::make_unique<RemainsEnder>(io_, id_, [this, detail] { lost(detail); });
}

void KeptAttempt::lost(const std::string& detail) {
  if (!socket_.empty()) ::unlink(socket_.c_str());
  if (!collect_left_behind(folder_, name_, seen_, metric_, facts_))
    facts_.push(ended_fact(name_, {{EndKind::lost, 0, false, detail, ""}, SystemClock().now()}));
  end();
}

}  // namespace hpsearch
