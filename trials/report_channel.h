#pragma once

#include <optional>
#include <string>

#include "trials/report.h"

namespace hpsearch {

// What comes back on a report.
struct Reply {
  bool go_on = true;
  std::string error;  // Why the report was refused; empty when it was taken.
};

// A trial's end of the channel that HPSEARCH_CHANNEL names: one JSON object a line out, one a line back.
class ReportChannel {
 public:
  // Not connected when `path` is empty or nobody listens there.
  explicit ReportChannel(const std::string& path);
  ~ReportChannel();
  ReportChannel(const ReportChannel&) = delete;
  ReportChannel& operator=(const ReportChannel&) = delete;

  bool connected() const { return socket_ >= 0; }

  // Sends and waits for the answer. None when the channel is gone; it then stays unconnected. With RANK > 0 in the
  // environment nothing is recorded: the answer is the one that rank 0 gets.
  std::optional<Reply> exchange(const Report& report);

 private:
  bool send(const std::string& line);
  std::optional<std::string> receive();
  void close();

  int socket_ = -1;
  int rank_ = 0;
  std::string received_;
};

}  // namespace hpsearch
