#include "scheduler/hosts/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "scheduler/hosts/file_io.h"
#include "trials/json_scanner.h"

namespace hpsearch {

namespace fs = std::filesystem;

void write_atomically(const fs::path& file, std::string_view text, Durability durability) {
  const fs::path draft = file.string() + ".new";
  {
    const FileDescriptor fd = open_file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    write_bytes(fd.get(), text, draft);
    if (durability == Durability::synced) sync_file(fd.get(), draft);
  }
  if (::rename(draft.c_str(), file.c_str()) != 0) throw_errno(file);
}

std::optional<std::string> read_file(const fs::path& file) {
  const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw_errno(file);
  }
  std::string text;
  char buffer[1 << 16];
  for (std::string_view bytes; !(bytes = read_next(fd.get(), buffer, file)).empty();) text += bytes;
  return text;
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
