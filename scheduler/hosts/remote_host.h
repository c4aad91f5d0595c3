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

namespace hpsearch {

// How a host is reached that its entry in the space file says nothing of, and where trials live there.
struct RemoteWay {
  std::vector<std::string> command;
  std::filesystem::path study_folder;
};

// A machine that is reached through an agent. Its trials do not depend on the connection: when that is cut they run on,
// what they report waits in their keepers' files, and the next connection takes everything up. A host that is away for
// longer than `lost_after` gives its trials back; what still runs there is ended when it returns.
class RemoteHost : public Host {
 public:
  // Connects at once, and again with growing pauses. HostSeen facts tell how it stands.
  RemoteHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study, std::filesystem::path program,
             std::optional<RemoteWay> way = std::nullopt);
  ~RemoteHost() override;

  void start(const Study& study, const AttemptPlanned& plan) override;
  void start(const Launch& launch);
  void tell(AttemptName name, const SchedulerWord& word) override;
  void adopt(const Adoption& adoption) override;
  void discard(AttemptName name) override;

 private:
  void connect();
  void greet();
  void take(const Json& word);
  void welcome(const Json& hello);
  void say_who_counts();
  void take_fact(const Json& word);
  void closed(const std::string& reason);
  void refuse(const std::string& reason);
  void see(HostState state, const std::string& reason);
  void give_up_trials();
  void lose(AttemptName name, const std::string& detail, bool ordered);

  boost::asio::io_context& io_;
  FactQueue& facts_;
  HostSpec spec_;
  std::optional<RemoteWay> way_;
  Json hello_;                                   // What the agent must know of the study.
  std::filesystem::path folder_, program_;       // The space file's folder; this program.
  std::filesystem::path study_folder_;           // There; known once it has answered.
  std::unique_ptr<AgentLink> link_;
  bool up_ = false, refused_ = false, ever_up_ = false;
  Span pause_;                                   // Before the next try to connect.
  std::optional<Span> away_since_;
  std::string reason_;                           // As last said.
  boost::asio::steady_timer reconnect_, lost_;
  std::map<int, Adoption> attempts_;             // Live ones, by trial.
  std::set<std::pair<int, int>> discarded_;      // To be said when it answers.
};

}  // namespace hpsearch
