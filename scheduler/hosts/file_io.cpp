#include "scheduler/hosts/file_io.h"

#include <fcntl.h>

#include <cerrno>
#include <system_error>

namespace hpsearch {

namespace fs = std::filesystem;

void throw_errno(const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

FileDescriptor open_file(const fs::path& file, int flags, mode_t mode) {
  FileDescriptor fd(::open(file.c_str(), flags | O_CLOEXEC, mode));
  if (!fd.open()) throw_errno(file);
  return fd;
}

std::string_view read_next(int fd, std::span<char> buffer, const fs::path& file) {
  for (;;) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n >= 0) return {buffer.data(), static_cast<std::size_t>(n)};
    if (errno != EINTR) throw_errno(file);
  }
}

void write_bytes(int fd, std::string_view bytes, const fs::path& file) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_errno(file);
    bytes.remove_prefix(n);
  }
}

void sync_file(int fd, const fs::path& file) {
  if (::fsync(fd) != 0) throw_errno(file);
}

}  // namespace hpsearch
