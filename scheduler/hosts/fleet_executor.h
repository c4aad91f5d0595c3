#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scheduler/executor.h"
#include "scheduler/hosts/checkpoint_store.h"
#include "scheduler/hosts/farewells.h"

namespace hpsearch {

// Runs a study's attempts on the hosts of its space file, each by the host that its slot names. One thread.
class FleetExecutor : public Executor {
 public:
  // `program` is the hpsearch executable: this machine's keepers run it, and other hosts get a copy.
  FleetExecutor(const std::filesystem::path& study_folder, std::filesystem::path program,
                RemoteHost::Role role = RemoteHost::Role::scheduler);
  ~FleetExecutor() override;

  // What else the scheduler waits for (signals, the control socket) lives here; its facts go to `push`.
  boost::asio::io_context& io() { return io_; }
  void push(Fact fact) { facts_.push(std::move(fact)); }

  // Takes up the hosts that the study names. Returns those that are known at once; the others' HostSeen follow.
  std::vector<HostSeen> open(const Study& study) { return hosts_.open(study); }

  // Throws std::system_error when this machine's disk fails.
  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) override;
  void adopt(const Study& study, const Trial& trial, const Attempt& attempt) override;
  std::variant<Fact, Tick> wait(std::optional<Time> deadline) override;

  // To be told of each batch once it is durable: brings elastic hosts up and takes them down, brings checkpoints home from
  // other hosts, and discards those that are no longer needed. Cheap.
  void committed(const Study& study, const std::vector<Event>& events);
  // Brings home what a trial left on other hosts: logs, artifacts, checkpoints. Waits for it while it goes on. Returns what
  // went wrong; empty: nothing.
  std::string fetch(const Study& study, const Trial& trial);

  // How a session ends.
  enum class Ending {
    whole,     // What is on its way home is waited for, and what the best trial of a study that is over made.
    hurried,   // Nothing is waited for but instances of elastic hosts, which are taken down.
    left       // Trials run on, and hosts stay, for the next session.
  };
  // At a session's end: takes down every instance of elastic hosts, and brings home what it can. `note` is given the facts,
  // the intent to take one down before the command runs. An interruption hurries it; a second one ends it, as one of level 0
  // does. Returns what of the best trial did not come home, and why; empty: nothing.
  using Note = std::function<void(Fact)>;
  std::string close(const Study& study, Ending ending, const Note& note);

 private:
  std::string ask_for(const Study& study, const Trial& trial, std::set<std::string>& hosts);
  void release_instances(const Study& study, const Note& note);
  void linger(const Study& study, Ending& ending, const Note& note);
  bool connected(const RemoteHost& there);
  void tidy(const Study& study, const std::vector<Event>& events);
  void discard(const Study& study, const Attempt& attempt, int trial);

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_ = boost::asio::make_work_guard(io_);
  std::filesystem::path folder_;
  RemoteHost::Role role_;
  FactQueue facts_;
  HostSet hosts_;
  Homecoming homecoming_{io_, facts_, hosts_, folder_};
  CheckpointMoves moves_{facts_, hosts_, folder_};
  Farewells farewells_{io_, hosts_, homecoming_, moves_};
  std::unique_ptr<CheckpointStore> checkpoints_;
  bool hungry_ = false;                                    // As hosts were last told.
};

}  // namespace hpsearch
