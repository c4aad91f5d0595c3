#include "scheduler/hosts/slurm_watch.h"

#include <algorithm>

#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

constexpr Span kChanging{2'000}, kQuiet{5'000}, kAway{2'000};
constexpr Span kPatienceOfPing{10'000};

}  // namespace

SlurmWatch::SlurmWatch(boost::asio::io_context& io, CommandQueue& commands, Callbacks callbacks)
    : commands_(commands), callbacks_(std::move(callbacks)), timer_(io), pause_(kChanging) {
  look_after(Span(0));
}

void SlurmWatch::hurry() {
  pause_ = kChanging;
  if (!asking_ && !away_ && timer_.expiry() > std::chrono::steady_clock::now() + kChanging) look_after(kChanging);
}

void SlurmWatch::look_after(Span delay) {
  timer_.expires_after(delay);
  timer_.async_wait([this](const auto& error) {
    if (error) return;
    if (away_) ping("");
    else look();
  });
}

void SlurmWatch::look() {
  asking_ = true;
  const Span now = steady_now();
  commands_.run({squeue_command(), "", Span(30'000)}, [this, now](const CommandResult& result) { take(result, now); });
}

void SlurmWatch::take(const CommandResult& result, Span asked_at) {
  if (!result.ok()) return ping(result.timed_out ? "squeue does not answer" : complaint_of(result.errors));
  asking_ = false;
  pause_ = result.output != last_ ? kChanging : std::min(pause_ + Span(500), kQuiet);
  last_ = result.output;
  callbacks_.seen(parse_squeue(result.output), asked_at);
  look_after(pause_);
}

// With the controller down, squeue would block for 9 s, a ping answers at once.
void SlurmWatch::ping(const std::string& complaint) {
  asking_ = true;
  commands_.run({ping_command(), "", kPatienceOfPing}, [this, complaint](const CommandResult& result) {
    if (away_ && controller_up(result.output)) {
      away_ = false;
      return look();
    }
    asking_ = false;
    away_ = true;
    const bool up = controller_up(result.output);
    callbacks_.away(up && !complaint.empty() ? complaint : up ? "squeue fails" : "Slurm's controller does not answer");
    look_after(kAway);
  });
}

}  // namespace hpsearch
