#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/keeper_host.h"
#include "scheduler/hosts/line_socket.h"
#include "scheduler/hosts/local_desk.h"

namespace hpsearch {

// An agent's talk with one scheduler: starts and follows keepers here as it is told. Holds nothing that outlasts it.
class AgentSession {
 public:
  // `closed` is called once, when the scheduler is gone; the session is not to be destroyed inside it. What is in
  // `leaving` (empty: nothing) is why no more trials are taken.
  AgentSession(boost::asio::io_context& io, FileDescriptor in, FileDescriptor out, const std::string& leaving,
               std::function<void()> closed);

  // From now on no more trials are taken.
  void leave(const std::string& reason);

 private:
  void say(const Json& word) { channel_.send(compact(word) + "\n"); }
  void take(std::string_view line, bool cut);
  void obey(const Json& word);
  void start(Launch launch);
  void open(const Json& hello);
  void check(const Json& wanted);
  void be_seen(const SeenDevices& devices);
  void ask(const Json& word);
  void files(const Json& word, std::string bytes);

  boost::asio::io_context& io_;
  std::string leaving_;
  FactQueue facts_;
  std::unique_ptr<KeeperHost> keepers_;
  std::unique_ptr<LocalDesk> files_;
  SeenDevices devices_;             // As last seen.
  bool hungry_ = true;              // Trials wait for room.
  Json announced_;                  // The word whose bytes are on their way.
  LineSocket channel_;
};

}  // namespace hpsearch
