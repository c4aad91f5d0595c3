#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/file_descriptor.h"
#include "trials/time.h"

namespace hpsearch {

// How a command ended.
struct CommandResult {
  int status = 0;                            // Exit status; -1: a signal ended it, or it could not be started.
  bool timed_out = false;                    // It was killed, and may have done what it was to do.
  std::string output, errors;
  bool ok() const { return status == 0 && !timed_out; }
};

struct CommandRequest {
  std::vector<std::string> argv;             // argv[0] is looked up on PATH.
  std::string input;
  Span patience{30'000};
  std::string folder = {};                   // Where it runs; empty: where this program does.
  int held = -1;                             // A descriptor that the command keeps open for as long as it runs.
};

// A short command that runs beside everything else. Its streams are files in memory: nothing of it has to be read in time.
class CommandRun {
 public:
  // `done` is called once, never inside the constructor; the run is not to be destroyed inside it. A run that is destroyed
  // before leaves its command running.
  CommandRun(boost::asio::io_context& io, const CommandRequest& request, std::vector<std::string> env,
             std::function<void(const CommandResult&)> done);

 private:
  void start(const CommandRequest& request, const std::vector<std::string>& env);
  void look_after(Span delay);
  void look();
  void finish(CommandResult result);

  std::function<void(const CommandResult&)> done_;
  boost::asio::steady_timer timer_;
  FileDescriptor input_, output_, errors_;
  pid_t pid_ = 0;
  std::string fault_;                        // Why it could not be started.
  Span until_, pause_{1};
  bool timed_out_ = false;
};

// Runs commands, some at a time, in the order they come.
class CommandQueue {
 public:
  CommandQueue(boost::asio::io_context& io, int at_a_time, std::vector<std::string> env)
      : io_(io), at_a_time_(at_a_time), env_(std::move(env)) {}

  void run(CommandRequest request, std::function<void(const CommandResult&)> done);

 private:
  struct Waiting {
    CommandRequest request;
    std::function<void(const CommandResult&)> done;
  };
  void start_next();

  boost::asio::io_context& io_;
  int at_a_time_;
  std::vector<std::string> env_;
  std::deque<Waiting> waiting_;
  std::list<std::unique_ptr<CommandRun>> running_;
};

}  // namespace hpsearch
