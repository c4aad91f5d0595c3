#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "scheduler/hosts/agent_link.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/host.h"
#include "scheduler/hosts/launch.h"
#include "scheduler/hosts/tree_copy.h"

namespace hpsearch {

// How a host is reached that its entry in the space file says nothing of, and where trials live there.
struct RemoteWay {
  std::vector<std::string> command;
  std::filesystem::path study_folder;
};

// A machine that is reached through an agent. Its trials do not depend on the connection: when that is cut they run on,
// what they report waits in their keepers' files, and the next connection takes everything up. A host that is away for
// longer than `lost_after` gives its trials back; what still runs there is ended when it returns.
class RemoteHost : public Host, public FileDesk {
 public:
  // Connects at once, and again with growing pauses. HostSeen facts tell how it stands. A visitor starts nothing and
  // ends nothing: it is there for the files. `home` are the files of this machine.
  enum class Role { scheduler, visitor };
  RemoteHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study, std::filesystem::path program,
             FileDesk* home, Role role = Role::scheduler, std::optional<RemoteWay> way = std::nullopt);
  ~RemoteHost() override;

  void start(const Study& study, const AttemptPlanned& plan) override;
  void start(const Launch& launch);
  void tell(AttemptName name, const SchedulerWord& word) override;
  void adopt(const Adoption& adoption) override;
  void discard(AttemptName name) override;

  // Whether trials wait for room has changed: what is kept ready for them there may go to other studies, or not.
  void tell_hunger();
  // For good: what runs there is no longer followed, and no fact follows.
  void leave();

  bool up() const { return up_; }
  bool refused() const { return refused_; }
  bool ever_up() const { return ever_up_; }
  // The study's folder there, as FileDesk names it.
  const std::string& study_path() const { return study_; }
  void ask(const Json& word, std::string bytes, Reply reply) override;
  std::uint64_t asked() const { return asked_; }  // Words so far.

 private:
  void connect();
  void greet();
  void take(const Json& word);
  void welcome(const Json& hello);
  void send_code();
  void check();
  void ready(const Json& seen);
  void say_who_counts();
  void take_fact(const Json& word);
  void closed(const std::string& reason);
  void refuse(const std::string& reason);
  void see(HostState state, const std::string& reason);
  void take_up();
  void give_up();
  void lose(AttemptName name, const std::string& detail, bool ordered);

  boost::asio::io_context& io_;
  FactQueue& facts_;
  HostSpec spec_;
  std::optional<RemoteWay> way_;
  std::string study_;                            // The name of its folder there.
  std::string command_;                          // What trials start.
  Json devices_;                                 // What they want of GPUs.
  std::optional<FilesSpec> files_;               // What is copied there.
  std::filesystem::path source_, program_;       // The space file's folder; this program.
  std::filesystem::path dir_, study_folder_, folder_;  // There, once it has answered: all studies, this one, the code.
  FileDesk* home_;
  Role role_;
  std::unique_ptr<TreeCopy> code_;
  std::unique_ptr<AgentLink> link_;
  const Study& live_;                            // Whose attempts count.
  bool linked_ = false;                          // It has answered: what runs there can be followed.
  bool up_ = false, refused_ = false, ever_up_ = false;  // More can be started; never again; could once.
  std::uint64_t asked_ = 0;
  Span pause_;                                   // Before the next try to connect.
  std::optional<Span> away_since_;
  std::string reason_;                           // As last said.
  boost::asio::steady_timer reconnect_, lost_;
  std::map<int, Adoption> attempts_;             // Live ones, by trial.
  std::set<std::pair<int, int>> discarded_;      // To be said when it answers.
};

}  // namespace hpsearch
