#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/attempt_tail.h"
#include "scheduler/hosts/command_run.h"
#include "scheduler/hosts/host.h"
#include "scheduler/hosts/slurm_end.h"
#include "scheduler/hosts/slurm_text.h"

namespace hpsearch {

// One attempt in a Slurm job of its own. What its folder says is true; what Slurm says counts only where the folder is
// silent: jobs are forgotten, come back, and get each other's ids.
class SlurmAttempt {
 public:
  struct Settings {
    bool checkpoint = false;
    Span grace{30'000};                      // Of a trial that is told to end.
    Span sight{30'000};                      // A file that was written elsewhere is seen here by then.
  };
  struct Callbacks {
    std::function<void()> submit;            // It is to be submitted, or again.
    std::function<void(const std::vector<std::string>& words)> scancel;
    std::function<void()> forgotten;         // Slurm knows its job no more: what does the accounting know?
    std::function<void()> over;              // Its end has been pushed. It is not to be destroyed inside.
  };

  SlurmAttempt(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, const Adoption& adoption, Settings settings,
               Callbacks callbacks);

  AttemptName name() const { return name_; }
  const std::string& job_name() const { return job_name_; }
  bool over() const { return over_; }
  const std::string& pending_reason() const { return pending_reason_; }  // Why Slurm lets its job wait; empty: it does not.

  // Its folder is complete: a job may begin.
  void begin();
  // An earlier scheduler began it.
  void adopted();
  // sbatch runs for it; and what it said.
  void submitting() { stage_ = Stage::submitting; }
  void submitted(const CommandResult& result);
  // Slurm's jobs of its name, as of `asked_at`.
  void see(const std::vector<SlurmJob>& jobs, Span asked_at);
  // The state of its job by the accounting; empty: unknown.
  void accounted(const std::string& state) { accounted_ = state; }
  void tell(const SchedulerWord& word);
  // Slurm takes no more jobs: without one it is lost.
  void refused(const std::string& reason);
  // It can't be submitted; or nothing is left of it.
  void give_up(AttemptEnd end);

 private:
  enum class Stage { unborn, waiting, submitting, unsure, submitted };

  void absent(Span asked_at);
  void present(const std::vector<SlurmJob>& jobs);
  void vanished(const std::string& state);
  void obey(OrderKind order);
  void insist(Span patience, bool last);
  void cancel();
  void finish();

  FactQueue& facts_;
  AttemptFolder folder_;
  AttemptName name_;
  std::string job_name_;
  Settings settings_;
  Callbacks callbacks_;
  AttemptTail tail_;
  boost::asio::steady_timer insistence_;
  Stage stage_ = Stage::unborn;
  Span since_{0};                            // When this stage began.
  int failures_ = 0;                         // Of sbatch, one after the other, without a job.
  std::string complaint_, pending_reason_, accounted_;
  std::optional<Span> vanished_since_;
  bool adopted_ = false, cancelled_ = false, over_ = false;
};

}  // namespace hpsearch
