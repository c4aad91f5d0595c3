#include "scheduler/hosts/line_socket.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace hpsearch {

namespace {

using Descriptor = boost::asio::posix::stream_descriptor;

ssize_t read_some(int fd, char* buffer, std::size_t size) {
  const ssize_t n = ::recv(fd, buffer, size, MSG_DONTWAIT);
  return n < 0 && errno == ENOTSOCK ? ::read(fd, buffer, size) : n;
}

ssize_t write_some(int fd, const std::string& text) {
  const ssize_t n = ::send(fd, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return n < 0 && errno == ENOTSOCK ? ::write(fd, text.data(), text.size()) : n;
}

}  // namespace

LineSocket::LineSocket(boost::asio::io_context& io, FileDescriptor socket, Callbacks callbacks, std::size_t longest)
    : in_(io, socket.release()), callbacks_(std::move(callbacks)), lines_(longest) {
  wait_readable();
}

LineSocket::LineSocket(boost::asio::io_context& io, FileDescriptor in, FileDescriptor out, Callbacks callbacks,
                       std::size_t longest)
    : in_(io, in.release()),
      out_(std::make_unique<Descriptor>(io, out.release())),
      callbacks_(std::move(callbacks)),
      lines_(longest) {
  in_.native_non_blocking(true);
  out_->native_non_blocking(true);
  wait_readable();
}

void LineSocket::wait_readable() {
  in_.async_wait(Descriptor::wait_read, [this, alive = std::weak_ptr(alive_)](const auto& error) {
    if (alive.expired() || error) return;
    read_now();
    if (open_) wait_readable();
  });
}

void LineSocket::read_now() {
  char buffer[1 << 16];
  while (open_) {
    const ssize_t n = read_some(in_.native_handle(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n <= 0) return end();
    take({buffer, static_cast<std::size_t>(n)});
    if (n < static_cast<ssize_t>(sizeof buffer)) return;
  }
}

// Line by line, since each may announce that what follows it is none.
void LineSocket::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::size_t n = expected_ > 0 ? std::min(expected_, bytes.size()) : newline == bytes.npos ? bytes.size() : newline + 1;
    if (expected_ == 0) {
      lines_.feed(bytes.substr(0, n), callbacks_.line);
    } else {
      announced_ += bytes.substr(0, n);
      expected_ -= n;
      if (expected_ == 0) callbacks_.bytes(std::exchange(announced_, {}));
    }
    bytes.remove_prefix(n);
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
    const ssize_t n = write_some(out().native_handle(), unsent_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    broken_ = n < 0;
    if (broken_) unsent_.clear();
    else unsent_.erase(0, n);
  }
}

void LineSocket::wait_writable() {
  out().async_wait(Descriptor::wait_write, [this, alive = std::weak_ptr(alive_)](const auto& error) {
    if (alive.expired() || error) return;
    write_now();
    if (!unsent_.empty()) wait_writable();
    else if (callbacks_.drained) callbacks_.drained();
  });
}

}  // namespace hpsearch
