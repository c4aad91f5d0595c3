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
#include "scheduler/hosts/local_attempt.h"

namespace hpsearch {

// Runs attempts on this machine, each under a keeper of its own, which outlives this object: destroying it leaves the
// trials running for the next scheduler to adopt. One thread.
class LocalExecutor : public Executor {
 public:
  // `program` is the hpsearch executable, which serves as keeper.
  LocalExecutor(const std::filesystem::path& study_folder, std::filesystem::path program);
  ~LocalExecutor() override;

  // What else the scheduler waits for (signals, the control socket) lives here; its facts go to `push`.
  boost::asio::io_context& io() { return io_; }
  void push(Fact fact) { facts_.push(std::move(fact)); }

  // Throws std::system_error when the disk fails; other faults come back as AttemptEnded{launch_failed}.
  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) override;
  void adopt(const Study& study, const Trial& trial, const Attempt& attempt) override;
  std::variant<Fact, Tick> wait(std::optional<Time> deadline) override;

  // Deletes checkpoints that attempts settled since the last call have made needless. Cheap.
  void tidy(const Study& study);

 private:
  void launch(const Study& study, const AttemptPlanned& plan);
  LocalAttempt* find(int trial, int attempt);
  LocalAttempt& add(AttemptName name, const std::string& id, std::uint64_t seen, const std::string& metric);
  void sweep();
  void reap_keepers();

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_ = boost::asio::make_work_guard(io_);
  std::filesystem::path folder_, program_;
  FactQueue facts_;
  CheckpointStore checkpoints_;
  std::map<int, std::unique_ptr<LocalAttempt>> attempts_;  // By trial: it has one live attempt.
  std::vector<pid_t> keepers_;                             // Children of ours, not yet reaped.
  std::vector<AttemptName> to_tidy_;                       // Ended; looked at once they are settled.
  bool tidied_ = false;
};

}  // namespace hpsearch
