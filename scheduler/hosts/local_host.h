#pragma once

#include "scheduler/hosts/keeper_host.h"

namespace hpsearch {

// This machine as a host of a study.
class LocalHost : public Host {
 public:
  LocalHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
            const std::filesystem::path& study_folder, std::filesystem::path program);

  // What it has to give; none while its GPUs are still looked at, which are told of by HostSeen facts.
  std::optional<HostSeen> seen() const;

  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(AttemptName name, const SchedulerWord& word) override { keepers_.tell(name, word); }
  void adopt(const Adoption& adoption) override { keepers_.adopt(adoption); }
  void discard(AttemptName name) override { keepers_.discard(name); }

 private:
  HostSpec spec_;
  bool has_devices_ = false;
  KeeperHost keepers_;
};

}  // namespace hpsearch
