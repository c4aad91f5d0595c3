#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace hpsearch {

bool print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno == EPIPE) return false;
    else if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "standard output");
  }
  return true;
}

}  // namespace hpsearch
