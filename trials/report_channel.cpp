#include "trials/report_channel.h"

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "trials/json_scanner.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

int connected_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

int own_rank() {
  const char* rank = std::getenv("RANK");
  return rank ? static_cast<int>(parse_integer(rank).value_or(0)) : 0;
}

// Most answers are there within microseconds; to be woken up for one costs more than to look again.
ssize_t received(int socket, char* buffer, std::size_t size) {
  constexpr int kLooks = 100;
  for (int look = 0; look < kLooks; ++look) {
    const ssize_t n = ::recv(socket, buffer, size, MSG_DONTWAIT);
    if (n >= 0 || errno != EAGAIN) return n;
    ::sched_yield();
  }
  return ::recv(socket, buffer, size, 0);
}

std::string query_text(const Report& report, int rank) {
  std::string line = "{\"rank\":" + std::to_string(rank) + ",\"query\":true";
  if (report.step) line += ",\"step\":" + format_number(*report.step);
  return line + '}';
}

Reply read_reply(const std::string& line) {
  Reply reply;
  JsonScanner scanner(line);
  scanner.open();
  while (auto key = scanner.next_key()) {
    const std::string value = scanner.scalar();
    if (*key == "verdict") reply.go_on = value == "continue";
    else if (*key == "error") reply.error = value;
  }
  return reply;
}

}  // namespace

ReportChannel::ReportChannel(const std::string& path) : socket_(connected_socket(path)), rank_(own_rank()) {}

ReportChannel::~ReportChannel() { close(); }

void ReportChannel::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

std::optional<Reply> ReportChannel::exchange(const Report& report) {
  if (!connected()) return std::nullopt;
  const std::string line = rank_ > 0 ? query_text(report, rank_) : report_text(report);
  std::optional<std::string> answer;
  if (send(line + '\n')) answer = receive();
  if (!answer) {
    close();
    return std::nullopt;
  }
  try {
    return read_reply(*answer);
  } catch (const std::invalid_argument&) {
    return Reply{};  // An answer of a later protocol: go on.
  }
}

bool ReportChannel::send(const std::string& line) {
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += n;
  }
  return true;
}

std::optional<std::string> ReportChannel::receive() {
  for (;;) {
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    char buffer[1024];
    const ssize_t n = received(socket_, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    received_.append(buffer, n);
  }
}

}  // namespace hpsearch
