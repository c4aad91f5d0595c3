#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "scheduler/hosts/host.h"
#include "scheduler/hosts/slurm_attempt.h"
#include "scheduler/hosts/slurm_control.h"
#include "scheduler/hosts/slurm_place.h"

namespace hpsearch {

// A Slurm cluster that runs each attempt in a job of its own. The folder of the study, and this program, lie on a file
// system that the nodes share; nothing of ours listens on the network. A restarted scheduler finds its jobs by name.
class SlurmHost : public Host {
 public:
  // `study_folder` is the study's own: trials live there unless the host has a "dir".
  SlurmHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
            const std::filesystem::path& study_folder, const std::filesystem::path& program);
  ~SlurmHost() override;

  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(AttemptName name, const SchedulerWord& word) override;
  void adopt(const Adoption& adoption) override;
  void discard(AttemptName name) override;

 private:
  SlurmAttempt& add(const Adoption& adoption);
  void submit(AttemptName name);
  void ask_accounting(AttemptName name);
  SlurmAttempt* find(AttemptName name);
  void take(const std::vector<SlurmJob>& jobs, Span asked_at);
  void end_revenants(const std::map<std::string, std::vector<SlurmJob>>& jobs);
  void refuse(const std::string& reason);
  void sweep();

  boost::asio::io_context& io_;
  FactQueue& facts_;
  SlurmPlace place_;
  SlurmAttempt::Settings settings_;
  std::map<int, std::unique_ptr<SlurmAttempt>> attempts_;  // By trial: it has one live attempt.
  std::map<std::string, Span> over_;                       // Names of jobs that are not to run any more, and since when.
  SlurmControl control_;
};

}  // namespace hpsearch
