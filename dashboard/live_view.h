#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "dashboard/live_frame.h"
#include "dashboard/terminal.h"

namespace hpsearch {

// Progress on a terminal, redrawn in place at most five times a second by a thread of its own, so that the clock goes
// on while nothing happens and no drawing delays the study.
class LiveView {
 public:
  LiveView(int fd, bool colour);
  // Draws the last state once more and leaves it there.
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  void show(LiveSnapshot snapshot);
  // A line above the view, which stays.
  void say(std::string line);
  // Draws what is pending at once and nothing later: other text may follow.
  void finish();

 private:
  void run();
  std::string take_drawing();
  std::vector<std::string> styles(std::size_t lines) const;

  const int fd_;
  const bool colour_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<LiveSnapshot> snapshot_;
  std::vector<std::string> said_;
  bool changed_ = false, done_ = false;
  RedrawnBlock block_;                         // Of the drawing thread.
  std::thread thread_;                         // Last: everything else is there when it starts.
};

}  // namespace hpsearch
