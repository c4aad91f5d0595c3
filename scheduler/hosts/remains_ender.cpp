#include "scheduler/hosts/remains_ender.h"

#include <csignal>

#include "scheduler/hosts/process_tree.h"
#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

constexpr Span kGrace{1'000}, kGiveUp{10'000}, kPoll{30};

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
  if (left.empty() || spent > kGiveUp) return done_();
  if (!terminated_) signal_all(left, SIGTERM);
  else if (spent > kGrace) signal_all(left, SIGKILL);
  terminated_ = true;
  timer_.expires_after(kPoll);
  timer_.async_wait([this](const auto& error) {
    if (!error) step();
  });
}

}  // namespace hpsearch
