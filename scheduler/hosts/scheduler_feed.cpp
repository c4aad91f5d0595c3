#include "scheduler/hosts/scheduler_feed.h"

#include <algorithm>

namespace hpsearch {

namespace {

constexpr std::size_t kMostUnsent = 1 << 20;
constexpr std::size_t kChunk = 1 << 18;
constexpr std::chrono::milliseconds kBatch{10};

}  // namespace

void SchedulerFeed::attach(LineSocket& socket, std::uint64_t next_seq, std::uint64_t last_seq) {
  socket_ = &socket;
  next_ = std::max<std::uint64_t>(next_seq, 1);
  last_ = last_seq;
  batch_.clear();
  catch_up();
}

void SchedulerFeed::detach(const LineSocket& socket) {
  if (socket_ == &socket) socket_ = nullptr;
}

void SchedulerFeed::recorded(std::uint64_t seq, std::string_view line, bool urgent) {
  if (!socket_) return;
  const bool in_step = !behind() && socket_->unsent() < kMostUnsent;
  last_ = seq;
  if (!in_step) return catch_up();
  batch_ += line;
  ++next_;
  if (urgent) flush();
  else flush_soon();
}

void SchedulerFeed::flush() {
  if (socket_ && !batch_.empty()) socket_->send(batch_);
  batch_.clear();
}

void SchedulerFeed::flush_soon() {
  if (timer_runs_) return;
  timer_runs_ = true;
  timer_.expires_after(kBatch);
  timer_.async_wait([this](const auto& error) {
    if (error) return;
    timer_runs_ = false;
    flush();
  });
}

void SchedulerFeed::catch_up() {
  flush();
  while (socket_ && behind() && socket_->unsent() < kMostUnsent) {
    const std::string lines = log_.lines_from(next_, kChunk);
    if (lines.empty()) return;
    next_ += std::count(lines.begin(), lines.end(), '\n');
    socket_->send(lines);
  }
  if (socket_ && !behind() && !final_.empty()) socket_->send(final_);
  if (socket_ && !behind()) final_.clear();
}

void SchedulerFeed::announce(std::string_view text) {
  flush();
  if (socket_) socket_->send(text);
}

void SchedulerFeed::finish(std::string text) {
  final_ = std::move(text);
  catch_up();
}

}  // namespace hpsearch
