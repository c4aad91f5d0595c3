#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "scheduler/hosts/host.h"
#include "scheduler/hosts/slurm_control.h"
#include "scheduler/hosts/slurm_pilot.h"

namespace hpsearch {

// A Slurm cluster that runs attempts in pilots: jobs that take one trial after the other, so that a short one does not wait
// in Slurm's queue. A pilot is asked for when trials wait and no pilot that runs or is to come has room for them. What waits
// here for a pilot has not begun; pilots end by themselves when they have had nothing to do for a while.
class SlurmPilotHost : public Host {
 public:
  // `study` outlives this object.
  SlurmPilotHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
                 const std::filesystem::path& study_folder, const std::filesystem::path& program);
  // Idle pilots are cancelled; others are left to the next scheduler.
  ~SlurmPilotHost() override;

  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(AttemptName name, const SchedulerWord& word) override;
  void adopt(const Adoption& adoption) override;
  void discard(AttemptName name) override;

 private:
  SlurmPilot& pilot(const std::string& name);
  SlurmPilot* holder(AttemptName name);
  void take(const std::vector<SlurmJob>& jobs, Span asked_at);
  void bury();
  void dispatch_soon();
  void dispatch();
  void hand_over(SlurmPilot& pilot);
  void ask_for_pilots();
  void ask_for_pilot();
  void refuse(const std::string& reason);
  void lose(AttemptName name, bool ordered, const std::string& detail);

  boost::asio::io_context& io_;
  FactQueue& facts_;
  const Study& study_;
  PilotSettings settings_;
  std::string prefix_;                                     // Of the names of this study's pilots.
  std::map<std::string, std::unique_ptr<SlurmPilot>> pilots_;
  std::deque<Launch> waiting_;                             // For a pilot.
  int failures_ = 0;                                       // Pilots in a row that ended before they answered.
  bool dispatching_ = false;
  SlurmControl control_;
};

}  // namespace hpsearch
