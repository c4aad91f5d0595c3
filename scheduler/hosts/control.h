#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/channel_server.h"
#include "trials/event.h"
#include "trials/study.h"

namespace hpsearch {

// STUDY/control.sock (0600): how verbs change a study that a scheduler runs. A request is one line, a fact in its
// JSON form; the answer {"ok": true} leaves once that fact is durable, {"error": "..."} when it is refused.
class ControlServer {
 public:
  // `push` hands a fact to the executor's queue. Replaces a socket file left by a scheduler that died. Facts are
  // checked against `study`.
  ControlServer(boost::asio::io_context& io, const std::filesystem::path& study_folder, const Study& study,
                std::function<void(Fact)> push);
  ~ControlServer();

  // Events that have become durable: answers those who asked for them.
  void committed(const std::vector<Event>& events);

 private:
  void take(LineSocket& client, std::string_view line);

  std::filesystem::path file_;
  const Study& study_;
  std::function<void(Fact)> push_;
  std::deque<LineSocket*> waiting_;  // In the order of their facts; null where the client has gone.
  ChannelServer server_;
};

// Why this fact can't be added to the study; none if it can. For verbs with and without a scheduler.
std::optional<std::string> control_fault(const Study& study, const Fact& fact);

// Asks the scheduler of a study and waits for its answer. True when it took the fact; false when no scheduler
// listens. UserError when it was refused.
bool ask_scheduler(const std::filesystem::path& study_folder, const Fact& fact);

}  // namespace hpsearch
