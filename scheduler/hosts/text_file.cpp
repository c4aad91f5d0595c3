#include "scheduler/hosts/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "scheduler/hosts/file_descriptor.h"
#include "trials/json_scanner.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

void write_all(int fd, std::string_view text, const fs::path& file) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(file);
    text.remove_prefix(n);
  }
}

}  // namespace

void write_atomically(const fs::path& file, std::string_view text, Durability durability) {
  const fs::path draft = file.string() + ".new";
  {
    const FileDescriptor fd(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!fd.open()) fail(draft);
    write_all(fd.get(), text, draft);
    if (durability == Durability::synced && ::fsync(fd.get()) != 0) fail(draft);
  }
  if (::rename(draft.c_str(), file.c_str()) != 0) fail(file);
}

std::optional<std::string> read_file(const fs::path& file) {
  const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    fail(file);
  }
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(file);
    if (n == 0) return text;
    text.append(buffer, n);
  }
}

std::string file_tail(const fs::path& file, std::size_t limit) {
  const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd.open() || ::fstat(fd.get(), &info) != 0) return {};
  const std::size_t size = info.st_size, from = size > limit ? size - limit : 0;
  std::string text(size - from, '\0');
  const ssize_t n = ::pread(fd.get(), text.data(), text.size(), from);
  text.resize(std::max<ssize_t>(n, 0));
  const std::size_t newline = text.find('\n');
  if (from > 0 && newline + 1 < text.size()) text.erase(0, newline + 1);
  return text;
}

std::string as_utf8(std::string text) {
  if (valid_utf8(text)) return text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 1;
    while (length <= 4 && !valid_utf8(std::string_view(text).substr(at, length))) ++length;
    if (length > 4) text[at] = '?', length = 1;
    at += length;
  }
  return text;
}

}  // namespace hpsearch
