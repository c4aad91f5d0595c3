#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/executor.h"
#include "scheduler/hosts/checkpoint_store.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/host.h"

namespace hpsearch {

// Runs a study's attempts on the hosts of its space file, each by the host that its slot names. One thread.
class FleetExecutor : public Executor {
 public:
  // `program` is the hpsearch executable: this machine's keepers run it, and other hosts get a copy.
  FleetExecutor(const std::filesystem::path& study_folder, std::filesystem::path program);
  ~FleetExecutor() override;

  // What else the scheduler waits for (signals, the control socket) lives here; its facts go to `push`.
  boost::asio::io_context& io() { return io_; }
  void push(Fact fact) { facts_.push(std::move(fact)); }

  // Takes up the hosts that the study names. Returns those that are known at once; the others' HostSeen follow.
  std::vector<HostSeen> open(const Study& study);

  // Throws std::system_error when this machine's disk fails.
  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) override;
  void adopt(const Study& study, const Trial& trial, const Attempt& attempt) override;
  std::variant<Fact, Tick> wait(std::optional<Time> deadline) override;

  // Discards checkpoints that attempts settled since the last call have made needless. Cheap.
  void tidy(const Study& study);

 private:
  Host* host(const Study& study, const std::string& name);
  std::unique_ptr<Host> make_host(const Study& study, const HostSpec& spec);

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_ = boost::asio::make_work_guard(io_);
  std::filesystem::path folder_, program_;
  FactQueue facts_;
  std::map<std::string, std::unique_ptr<Host>> hosts_;
  std::unique_ptr<CheckpointStore> checkpoints_;
  std::vector<AttemptName> to_tidy_;                       // Ended; looked at once they are settled.
};

}  // namespace hpsearch
