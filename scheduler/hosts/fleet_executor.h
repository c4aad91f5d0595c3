#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scheduler/executor.h"
#include "scheduler/hosts/checkpoint_mirror.h"
#include "scheduler/hosts/checkpoint_store.h"
#include "scheduler/hosts/elastic_host.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/host.h"
#include "scheduler/hosts/local_desk.h"
#include "scheduler/hosts/remote_host.h"

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
  std::vector<HostSeen> open(const Study& study);

  // Throws std::system_error when this machine's disk fails.
  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(const Study& study, const std::variant<Judged, EndOrdered>& word) override;
  void adopt(const Study& study, const Trial& trial, const Attempt& attempt) override;
  std::variant<Fact, Tick> wait(std::optional<Time> deadline) override;

  // To be told of each batch once it is durable: brings elastic hosts up and takes them down, brings checkpoints home from
  // other hosts, and discards those that are no longer needed. Cheap.
  void committed(const Study& study, const std::vector<Event>& events);
  // At a session's end: waits, no longer than `patience`, for checkpoints that are on their way home. Returns the facts.
  std::vector<Fact> last_checkpoints(Span patience);
  // Brings home what a trial left on other hosts: logs, artifacts, checkpoints. Waits for it, no longer than `patience`.
  // Returns what went wrong; empty: nothing.
  std::string fetch(const Study& study, const Trial& trial, Span patience);
  // At a session's end: takes down every instance of elastic hosts, and waits for it. `note` is given the facts, the intent
  // before the command runs. A second interruption ends the waiting. Returns what may still cost money; empty: nothing.
  std::string release_instances(const Study& study, const std::function<void(Fact)>& note);

 private:
  // What is still to come home before an instance is taken down.
  struct Farewell {
    std::string host, reason;
    Span until;
    int left = 0;                                          // Copies.
    std::vector<std::unique_ptr<TreeCopy>> copies;
    boost::asio::steady_timer timer;
  };
  struct Move {
    AttemptPlanned plan;
    std::unique_ptr<TreeCopy> copy;
  };

  std::unique_ptr<Host> make(const Study& study, const HostSpec& spec);
  Host* host(const Study& study, const std::string& name);
  RemoteHost* remote(const Study& study, const std::string& name);
  ElasticHost* elastic(const Study& study, const std::string& name);
  void carry_out(const Study& study, const HostOrdered& order);
  void bid_farewell(const Study& study, Farewell& farewell);
  void copy_home(RemoteHost& from, const Trial& trial, const Attempt& attempt, const TreeCopy::Done& done,
                 std::vector<std::unique_ptr<TreeCopy>>& copies);
  std::string path_there(const RemoteHost& host, AttemptName name) const;
  std::string path_here(AttemptName name) const;
  void mirror(const Study& study, const Reported& report);
  void mirror_last(const Study& study, const AttemptEnded& end);
  void mirror_missed(const Study& study, const HostSeen& seen);
  void want(const Study& study, const Attempt& attempt, AttemptName name, bool last);
  void tidy(const Study& study, const std::vector<Event>& events);
  void discard(const Study& study, const Attempt& attempt, int trial);
  void bring_home(const Study& study, const AttemptPlanned& plan);
  void send_on(const Study& study, const AttemptPlanned& plan);
  void moved(int trial);
  void copy(const Study& study, const AttemptPlanned& plan, FileDesk& from, FileDesk& to, TreeCopy::Order order,
            std::function<void()> then);

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_ = boost::asio::make_work_guard(io_);
  std::filesystem::path folder_, program_;
  RemoteHost::Role role_;
  FactQueue facts_;
  std::set<std::string> up_;                               // Hosts.
  std::map<int, Move> moves_;                              // Trials whose checkpoint is on its way to their host.
  std::vector<std::unique_ptr<TreeCopy>> copied_;          // Done, and still on the stack of a reply.
  std::map<std::string, std::unique_ptr<CheckpointMirror>> mirrors_;
  LocalDesk home_{io_, ""};
  std::map<std::string, std::unique_ptr<Host>> hosts_;
  std::map<std::string, std::unique_ptr<Farewell>> farewells_;  // By host.
  std::unique_ptr<CheckpointStore> checkpoints_;
  bool hungry_ = false;                                    // As hosts were last told.
};

}  // namespace hpsearch
