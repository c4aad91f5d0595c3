#include "scheduler/hosts/line_socket.h"

#include <sys/socket.h>

#include <cerrno>

namespace hpsearch {

namespace {

constexpr std::size_t kLongestWord = 1 << 20;

using Descriptor = boost::asio::posix::stream_descriptor;

}  // namespace

LineSocket::LineSocket(boost::asio::io_context& io, FileDescriptor socket, Callbacks callbacks)
    : socket_(io, socket.release()), callbacks_(std::move(callbacks)), lines_(kLongestWord) {
  wait_readable();
}

void LineSocket::wait_readable() {
  socket_.async_wait(Descriptor::wait_read, [this, alive = std::weak_ptr(alive_)](const auto& error) {
    if (alive.expired() || error) return;
    read_now();
    if (open_) wait_readable();
  });
}

void LineSocket::read_now() {
  char buffer[1 << 16];
  while (open_) {
    const ssize_t n = ::recv(socket_.native_handle(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n <= 0) return end();
    lines_.feed(std::string_view(buffer, n), callbacks_.line);
    if (n < static_cast<ssize_t>(sizeof buffer)) return;
  }
}

void LineSocket::end() {
  open_ = false;
  if (callbacks_.closed) callbacks_.closed();
}

void LineSocket::send(std::string_view text) {
  if (broken_ || !open_) return;
  const bool waits = !unsent_.empty();
  unsent_ += text;
  if (!waits) write_now();
  if (!waits && !unsent_.empty()) wait_writable();
}

void LineSocket::write_now() {
  while (!unsent_.empty()) {
    const ssize_t n = ::send(socket_.native_handle(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    broken_ = n < 0;
    if (broken_) unsent_.clear();
    else unsent_.erase(0, n);
  }
}

void LineSocket::wait_writable() {
  socket_.async_wait(Descriptor::wait_write, [this, alive = std::weak_ptr(alive_)](const auto& error) {
    if (alive.expired() || error) return;
    write_now();
    if (!unsent_.empty()) wait_writable();
    else if (callbacks_.drained) callbacks_.drained();
  });
}

}  // namespace hpsearch
