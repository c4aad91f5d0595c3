#include "scheduler/hosts/pilot.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "scheduler/hosts/agent_session.h"
#include "scheduler/hosts/process_tree.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/unix_socket.h"
#include "scheduler/random_hex.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr Span kIdle{60'000};
constexpr Span kBetweenLooks{500};
constexpr const char* kNearlyOver = "its job's time is nearly over";

fs::path note_of(const std::string& folder) { return fs::path(folder) / "pilot.json"; }

class Pilot {
 public:
  explicit Pilot(const std::string& folder)
      : socket_(attempt_socket_path(random_hex(4))),
        listener_(io_, listen_at(socket_).release()),
        signals_(io_, SIGUSR1, SIGTERM),
        timer_(io_),
        busy_at_(steady_now()) {
    write_atomically(note_of(folder), Json{{"socket", socket_}}.dump() + '\n', Durability::synced);
  }

  ~Pilot() { ::unlink(socket_.c_str()); }

  void run() {
    wait_for_connection();
    wait_for_signal();
    look_later();
    io_.run();
  }

 private:
  void wait_for_connection() {
    listener_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](const auto& error) {
      if (error) return;
      FileDescriptor in(::accept4(listener_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (in.open()) talk(std::move(in));
      wait_for_connection();
    });
  }

  // A scheduler that comes anew has lost its earlier connection, whether that is known here or not.
  void talk(FileDescriptor in) {
    FileDescriptor out(::dup(in.get()));
    const int talk = ++talks_;
    session_.reset();
    session_ = std::make_unique<AgentSession>(io_, std::move(in), std::move(out), leaving_ ? kNearlyOver : "", [this, talk] {
      boost::asio::post(io_, [this, talk] {
        if (talk == talks_) session_.reset();
      });
    });
  }

  void wait_for_signal() {
    signals_.async_wait([this](const auto& error, int signal) {
      if (error) return;
      leave(signal);
      wait_for_signal();
    });
  }

  void leave(int signal) {
    leaving_ = true;
    if (session_) session_->leave(kNearlyOver);
    signal_all(children_of(::getpid()), signal);
  }

  void look_later() {
    timer_.expires_after(kBetweenLooks);
    timer_.async_wait([this](const auto& error) {
      if (error) return;
      if (keepers_run()) busy_at_ = steady_now();
      else if (leaving_ || steady_now() - busy_at_ > kIdle) return io_.stop();
      look_later();
    });
  }

  // Also buries those that have ended: no session may be left that knows them.
  static bool keepers_run() {
    pid_t child;
    while ((child = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    return child == 0;
  }

  boost::asio::io_context io_;
  std::string socket_;
  boost::asio::posix::stream_descriptor listener_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer timer_;
  std::unique_ptr<AgentSession> session_;
  int talks_ = 0;
  Span busy_at_;
  bool leaving_ = false;
};

}  // namespace

int pilot_main(const std::string& folder) try {
  std::signal(SIGPIPE, SIG_IGN);
  Pilot(folder).run();
  return 0;
} catch (const std::exception& fault) {
  std::fprintf(stderr, "hpsearch pilot: %s\n", fault.what());
  return 1;
}

std::string pilot_socket(const std::string& folder) {
  const Json note = Json::parse(read_file(note_of(folder)).value_or(""), nullptr, false);
  if (!note.is_object() || !note.contains("socket")) throw std::runtime_error(folder + ": its pilot has not begun");
  return note["socket"];
}

}  // namespace hpsearch
