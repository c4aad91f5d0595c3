#include "scheduler/hosts/agent.h"

#include <poll.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>

#include "scheduler/hosts/agent_session.h"
#include "scheduler/hosts/pilot.h"
#include "scheduler/hosts/unix_socket.h"

namespace hpsearch {

namespace {

void wait_for_room(int fd) {
  pollfd side{fd, POLLOUT, 0};
  ::poll(&side, 1, -1);
}

// Passes on what is there. False at the end of it, or when nobody takes it.
bool pass_on(int from, int to) {
  char buffer[1 << 16];
  const ssize_t n = ::read(from, buffer, sizeof buffer);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  for (ssize_t done = 0; done < n;) {
    const ssize_t written = ::write(to, buffer + done, n - done);
    if (written >= 0) done += written;
    else if (errno == EAGAIN) wait_for_room(to);
    else if (errno != EINTR) return false;
  }
  return n > 0;
}

void relay(int socket) {
  pollfd sides[]{{STDIN_FILENO, POLLIN, 0}, {socket, POLLIN, 0}};
  for (;;) {
    if (::poll(sides, 2, -1) < 0 && errno != EINTR) return;
    if (sides[0].revents && !pass_on(STDIN_FILENO, socket)) return;
    if (sides[1].revents && !pass_on(socket, STDOUT_FILENO)) return;
  }
}

}  // namespace

int agent_main() {
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context io;
  AgentSession session(io, FileDescriptor(::dup(STDIN_FILENO)), FileDescriptor(::dup(STDOUT_FILENO)), "", [&] { io.stop(); });
  io.run();
  return 0;
}

int connect_main(const std::string& pilot) try {
  std::signal(SIGPIPE, SIG_IGN);
  const FileDescriptor socket = connect_to(pilot_socket(pilot));
  if (!socket.open()) throw std::runtime_error(pilot + ": its pilot does not answer");
  relay(socket.get());
  return 0;
} catch (const std::exception& fault) {
  std::fprintf(stderr, "hpsearch agent: %s\n", fault.what());
  return 1;
}

}  // namespace hpsearch
