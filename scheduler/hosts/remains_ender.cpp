#include "scheduler/hosts/remains_ender.h"

#include <csignal>

#include "scheduler/hosts/process_tree.h"
#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

constexpr Span kGrace{1'000}, kGiveUp{10'000}, kPoll{30};
// A process has no environment to be read while it executes another program: one empty scan proves nothing.
constexpr int kEmptyScans = 3;

}  // namespace

RemainsEnder::RemainsEnder(boost::asio::io_context& io, std::string attempt_id, std::function<void()> done)
    : timer_(io, Span(0)), id_(std::move(attempt_id)), done_(std::move(done)), begun_(steady_now()) {
  timer_.async_wait([this](const auto& error) {
    if (!error) step();
  });
}

void RemainsEnder::step() {
  const std::vector<pid_t> left = processes_of_attempt(id_);
  const Span spent = steady_now() - begun_;
  empty_scans_ = left.empty() ? empty_scans_ + 1 : 0;
  if (empty_scans_ == kEmptyScans || spent > kGiveUp) return done_();
  if (spent > kGrace) signal_all(left, SIGKILL);
  else if (!terminated_) signal_all(left, SIGTERM);
  terminated_ = terminated_ || !left.empty();
  timer_.expires_after(kPoll);
  timer_.async_wait([this](const auto& error) {
    if (!error) step();
  });
}

}  // namespace hpsearch
