#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "scheduler/hosts/event_log_file.h"
#include "scheduler/hosts/line_socket.h"

namespace hpsearch {

// Passes the lines of a keeper's log on to the scheduler, while one is connected: each once, in order, from the line
// it asked for. Lines that nobody waits for leave together, within 10 ms. A slow scheduler is fed from the file, so
// that the keeper stays small.
class SchedulerFeed {
 public:
  SchedulerFeed(boost::asio::io_context& io, EventLogFile& log) : log_(log), timer_(io) {}

  // `next_seq` is the first line wanted, `last_seq` the last in the log. An earlier socket is forgotten.
  void attach(LineSocket& socket, std::uint64_t next_seq, std::uint64_t last_seq);
  void detach(const LineSocket& socket);
  bool attached() const { return socket_ != nullptr; }

  // `line` (with its newline) has just become line `seq` of the log.
  void recorded(std::uint64_t seq, std::string_view line, bool urgent);
  // Leaves before the next line of the log.
  void announce(std::string_view text);
  // Leaves after the last line of the log.
  void finish(std::string text);
  // To be called when the socket has drained.
  void catch_up();

 private:
  bool behind() const { return next_ <= last_; }
  void flush();
  void flush_soon();

  EventLogFile& log_;
  boost::asio::steady_timer timer_;
  bool timer_runs_ = false;
  LineSocket* socket_ = nullptr;
  std::uint64_t next_ = 1, last_ = 0;  // Next line to pass on; last of the log.
  std::string batch_;
  std::string final_;
};

}  // namespace hpsearch
