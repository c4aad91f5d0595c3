#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/file_desk.h"
#include "scheduler/hosts/line_socket.h"
#include "trials/json.h"
#include "trials/time.h"

namespace hpsearch {

// One connection to the agent of a host: a command (ssh, or whatever gives standard input and output) that is started,
// greeted, given the program where it asks for it, and watched: no word for `silence` means that it is cut.
class AgentLink : public FileDesk {
 public:
  struct Callbacks {
    std::function<void()> greeted;                         // The agent is there and waits for a hello.
    std::function<void(const Json& word)> word;
    std::function<void(const std::string& reason)> closed; // Called once; the link is not to be destroyed inside it.
  };

  // `program` is what is sent where the far side lacks it.
  AgentLink(boost::asio::io_context& io, const std::vector<std::string>& command, std::string program, Span silence, Callbacks callbacks);
  ~AgentLink() override;

  void send(const Json& word);
  // The files over there. Without a connection the reply is a fault.
  void ask(const Json& word, std::string bytes, Reply reply) override;
  bool greeted() const { return greeted_ && !closed_; }
  Span heard() const { return heard_; }                    // When the last word came, or the connection was begun.
  // What was asked is answered with a fault.
  void close(const std::string& reason);

 private:
  void line(std::string_view text, bool cut);
  void hear(std::string_view text, bool cut);
  void take(const Json& word, std::string bytes);
  void answer(const Json& word, std::string bytes);
  void complaint(std::string_view text);
  void send_program();
  void watch();
  std::string last_words() const;

  std::string program_;
  Callbacks callbacks_;
  pid_t pid_ = 0;
  bool greeted_ = false, closed_ = false;
  std::size_t noise_ = 0;                                  // Bytes before the greeting: what a login shell prints.
  std::string complaint_, noise_line_;                     // The last line of each.
  Span silence_, heard_;
  boost::asio::steady_timer timer_;
  std::map<std::uint64_t, Reply> asked_;                   // By number.
  std::uint64_t last_asked_ = 0;
  bool sending_program_ = false;
  Json announced_;                                         // The word whose bytes are on their way.
  std::unique_ptr<LineSocket> channel_, errors_;
};

}  // namespace hpsearch
