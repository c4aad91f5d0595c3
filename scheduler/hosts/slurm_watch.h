#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string>
#include <vector>

#include "scheduler/hosts/command_run.h"
#include "scheduler/hosts/slurm_text.h"

namespace hpsearch {

// Looks at this user's jobs, all at once, every few seconds: sooner while something changes. While the controller is down
// it asks only whether that is still so.
class SlurmWatch {
 public:
  struct Callbacks {
    // Asked for at `asked_at` (steady_now): what was submitted later may be missing.
    std::function<void(const std::vector<SlurmJob>& jobs, Span asked_at)> seen;
    std::function<void(const std::string& reason)> away;   // Slurm does not answer. Called each time.
  };

  // Begins with the next turn of `io`.
  SlurmWatch(boost::asio::io_context& io, CommandQueue& commands, Callbacks callbacks);

  void hurry();                              // Something is about to change.

 private:
  void look_after(Span delay);
  void look();
  void take(const CommandResult& result, Span asked_at);
  void ping(const std::string& complaint);

  CommandQueue& commands_;
  Callbacks callbacks_;
  boost::asio::steady_timer timer_;
  Span pause_;
  bool asking_ = false, away_ = false;
  std::string last_;                         // The answer before.
};

}  // namespace hpsearch
