#pragma once

#include <functional>
#include <optional>
#include <string>

#include "scheduler/hosts/exit_record.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/line_socket.h"
#include "scheduler/hosts/scheduler_words.h"

namespace hpsearch {

// An attempt as facts name it.
struct AttemptName {
  int trial = 0, attempt = 0;
  bool operator==(const AttemptName&) const = default;
};

// The scheduler's connection to one keeper: lines in become facts, words go out.
class AttemptLink {
 public:
  enum class Close { ended, lost };  // After the attempt's end came in, or before it.

  // Asks for the lines after `seen`. `closed` is called once; the link is not to be destroyed inside it.
  AttemptLink(boost::asio::io_context& io, FileDescriptor socket, AttemptName name, std::uint64_t seen,
              const std::string& metric, FactQueue& facts, std::function<void(Close)> closed);

  void tell(const SchedulerWord& word) { socket_.send(word_text(word)); }
  std::uint64_t seen() const { return seen_; }

 private:
  void line(std::string_view text);
  void status_line(std::string_view text);
  void close(Close how);

  AttemptName name_;
  std::uint64_t seen_;
  std::string metric_;
  FactQueue& facts_;
  std::function<void(Close)> closed_;
  bool done_ = false;
  bool started_ = false;  // Told once, though the keeper says it to every scheduler.
  LineSocket socket_;
};

AttemptEnded ended_fact(AttemptName name, const ExitRecord& record);

}  // namespace hpsearch
