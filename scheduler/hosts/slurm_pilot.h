#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/command_run.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/launch.h"
#include "scheduler/hosts/remote_host.h"
#include "scheduler/hosts/slurm_place.h"
#include "scheduler/hosts/slurm_text.h"

namespace hpsearch {

// What all pilots of a host have in common.
struct PilotSettings {
  HostSpec host;
  SlurmPlace place;
  int slots = 1;                             // Trials that a pilot holds at a time.
  double gpus = 0;                           // Of each.
  bool checkpoint = false;
  std::string metric;
};

// A job that runs attempts one after the other, and what runs in it. Once the job runs, its pilot is reached through a step
// of the job; how the job stands is known from Slurm alone.
class SlurmPilot {
 public:
  struct Callbacks {
    std::function<void(Fact)> fact;          // Of its attempts.
    std::function<void()> changed;           // It has more room, or less.
    std::function<void(const std::string& reason)> refused;  // Its nodes can't run trials of this study.
  };

  SlurmPilot(boost::asio::io_context& io, const PilotSettings& settings, std::string name, Callbacks callbacks);

  const std::string& name() const { return name_; }
  std::filesystem::path folder() const { return settings_.place.folder / "pilots" / name_; }
  bool over() const { return over_; }        // Its job has ended, and so have its attempts.
  bool served() const { return served_; }    // It has answered once.
  bool idle() const { return attempts_.empty(); }
  bool holds(AttemptName name) const;
  // Trials that it can take now; and those that it will be able to, as far as is known.
  int room() const;
  int promise() const;

  // sbatch has run for it, or an earlier scheduler's: from now on its job is looked for.
  void submitted(const CommandResult& result);
  void adopted() { submitted({}); }
  // Slurm's jobs of its name, as of `asked_at`.
  void see(const std::vector<SlurmJob>& jobs, const Study& study, Span asked_at);
  const std::string& pending_reason() const { return pending_reason_; }

  void start(Launch launch);
  void tell(AttemptName name, const SchedulerWord& word);
  void adopt(const Adoption& adoption);

 private:
  struct Held {
    Adoption adoption;
    int slot = -1;                           // Unknown for what an earlier scheduler started.
  };

  void attach(const std::string& job, const Study& study);
  void take(Fact fact);
  void count(const Fact& fact);
  void vanished(const std::string& state);
  void bury(const std::string& state);
  int free_slot() const;

  boost::asio::io_context& io_;
  const PilotSettings& settings_;
  std::string name_;
  Callbacks callbacks_;
  FactQueue facts_;                          // Of the connection to its agent.
  std::unique_ptr<RemoteHost> agent_;
  std::map<int, Held> attempts_;             // By trial.
  std::string pending_reason_;
  bool known_ = false, sure_ = false;        // sbatch has run; it said so, or Slurm has shown the job.
  bool open_ = false, served_ = false, closing_ = false, over_ = false;
  Span since_{0};
  std::optional<Span> vanished_since_;
};

}  // namespace hpsearch
