#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduler/hosts/command_run.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/slurm_text.h"
#include "scheduler/hosts/slurm_watch.h"

namespace hpsearch {

// A cluster as one host deals with it: whether it answers and would take our jobs (said by HostSeen facts), what becomes of
// the jobs, and jobs handed in, ten a second at most and none while it does not answer. Nothing waits.
class SlurmControl {
 public:
  struct Callbacks {
    std::function<void(const std::vector<SlurmJob>& jobs, Span asked_at)> seen;
    std::function<void(const std::string& reason)> refused;   // It will take no job in this session.
  };
  using Submitted = std::function<void(const CommandResult&)>;

  SlurmControl(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, TrialSpec needs, Callbacks callbacks);

  // `begun` is called when sbatch starts: false drops the job. `done` has what sbatch said.
  void submit(SlurmAsk ask, std::string script, std::function<bool()> begun, Submitted done);
  void scancel(const std::vector<std::string>& words);
  // The state of a job that Slurm itself has forgotten, where there is an accounting: empty where there is none.
  void ask_accounting(const std::string& job_name, std::function<void(const std::string& state)> done);
  // The last thing that is said: one scancel for each of `words`, whatever becomes of them.
  void scancel_unwatched(const std::vector<std::string>& words);
  // No more jobs are to be handed in: the nodes can't run our trials.
  void refuse(const std::string& reason);
  // Why jobs that are in Slurm's hands wait (empty: this one does not): told once it stays so for a while.
  void jobs_wait(std::set<std::string> reasons);

  const HostSpec& spec() const { return spec_; }
  bool refused() const { return refused_; }

 private:
  struct Submission {
    SlurmAsk ask;
    std::string script;
    std::function<bool()> begun;
    Submitted done;
  };

  void take(const std::vector<SlurmJob>& jobs, Span asked_at);
  void away(const std::string& reason);
  void test();
  void doubt(const std::string& reason);
  void see(HostState state, const std::string& reason);
  void submit_next();
  void hand_in(const Submission& next);

  FactQueue& facts_;
  HostSpec spec_;
  TrialSpec needs_;
  Callbacks callbacks_;
  CommandQueue commands_;
  SlurmWatch watch_;
  bool answers_ = false, tested_ = false, testing_ = false, refused_ = false;
  std::optional<std::pair<HostState, std::string>> said_;
  std::string waits_;                        // Why jobs wait, and since when.
  Span waits_since_{0};
  std::optional<Span> doubted_since_;        // That any node could run our jobs.
  std::deque<Submission> submissions_;
  Span paced_until_{0};                      // Jobs handed in so far fill the time up to here.
  boost::asio::steady_timer pace_;
};

}  // namespace hpsearch
