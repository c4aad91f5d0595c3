#include "scheduler/hosts/output_reader.h"

#include <unistd.h>

#include <cerrno>

namespace hpsearch {

namespace {

constexpr std::size_t kLongestLine = 1 << 20;

void write_what_fits(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes.remove_prefix(n);
  }
}

}  // namespace

OutputReader::OutputReader(boost::asio::io_context& io, FileDescriptor pipe, FileDescriptor log, OnLine on_line)
    : pipe_(io, pipe.release()), log_(std::move(log)), on_line_(std::move(on_line)), lines_(kLongestLine) {
  wait();
}

void OutputReader::wait() {
  pipe_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](const auto& error) {
    if (error) return;
    read_now();
    if (!ended_) wait();
  });
}

void OutputReader::read_now() {
  char buffer[1 << 16];
  while (!ended_) {
    const ssize_t n = ::read(pipe_.native_handle(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    ended_ = n <= 0;
    if (ended_) return;
    write_what_fits(log_.get(), std::string_view(buffer, n));
    lines_.feed(std::string_view(buffer, n), [this](std::string_view line, bool overlong) { on_line_(line, overlong); });
    if (n < static_cast<ssize_t>(sizeof buffer)) return;
  }
}

void OutputReader::finish(bool whole) {
  read_now();
  if (whole && !lines_.rest().empty()) on_line_(lines_.rest(), lines_.cut());
}

}  // namespace hpsearch
