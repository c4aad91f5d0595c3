#include "scheduler/hosts/file_tail.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

bool FileTail::look(const std::function<void(std::string_view line)>& line) {
  const FileDescriptor file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return false;
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n; (n = ::pread(file.get(), buffer, sizeof buffer, static_cast<off_t>(at_ + text.size()))) > 0;)
    text.append(buffer, n);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    at_ += end + 1 - begin;
    line(std::string_view(text).substr(begin, end - begin));
  }
  return begin > 0;
}

}  // namespace hpsearch
