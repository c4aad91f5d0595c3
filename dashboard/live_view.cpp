#include "dashboard/live_view.h"

#include <csignal>
#include <functional>

namespace hpsearch {

namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{200};
constexpr std::chrono::milliseconds kClockTick{1000};

Time now() { return std::chrono::time_point_cast<Span>(std::chrono::system_clock::now()); }

// Signals are for the study's thread.
std::thread thread_without_signals(std::function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

LiveView::LiveView(int fd, bool colour)
    : fd_(fd), colour_(colour), thread_(thread_without_signals([this] { run(); })) {}

LiveView::~LiveView() { finish(); }

void LiveView::show(LiveSnapshot snapshot) {
  const std::lock_guard lock(mutex_);
  snapshot_ = std::move(snapshot);
  changed_ = true;
  wake_.notify_one();
}

void LiveView::say(std::string line) {
  const std::lock_guard lock(mutex_);
  said_.push_back(std::move(line));
  changed_ = true;
  wake_.notify_one();
}

void LiveView::finish() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void LiveView::run() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    wake_.wait_for(lock, kClockTick, [this] { return changed_ || done_; });
    const std::string bytes = take_drawing();
    lock.unlock();
    write_text(fd_, bytes);
    lock.lock();
    wake_.wait_for(lock, kBetweenDrawings, [this] { return done_; });
  }
  const std::string bytes = take_drawing();
  lock.unlock();
  write_text(fd_, bytes);
}

std::string LiveView::take_drawing() {
  changed_ = false;
  if (!snapshot_ || !in_foreground(fd_)) return "";
  const TerminalSize size = terminal_size(fd_);
  std::string bytes = said_.empty() ? "" : block_.clear(size.columns);
  for (const std::string& line : said_) bytes += line + "\n";
  said_.clear();
  // One column and one row are left free: filling them makes terminals scroll or wrap.
  const std::vector<std::string> lines = live_frame(*snapshot_, now(), size.columns - 1, size.rows - 1);
  return bytes + block_.redraw(lines, styles(lines.size()), size.columns);
}

std::vector<std::string> LiveView::styles(std::size_t lines) const {
  constexpr const char* kBold = "\x1b[1m";
  constexpr const char* kGreen = "\x1b[32m";
  std::vector<std::string> styles(lines);
  if (!colour_) return styles;
  if (lines > 0) styles[0] = kBold;
  if (lines > 2) styles[2] = kGreen;
  return styles;
}

}  // namespace hpsearch
