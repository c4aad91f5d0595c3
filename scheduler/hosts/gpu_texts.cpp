#include "scheduler/hosts/gpu_texts.h"

#include <pwd.h>
#include <sys/stat.h>

#include <cstdio>

namespace hpsearch {

std::string memory_text(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

std::string user_of(std::int64_t pid) {
  struct stat entry {};
  if (::stat(("/proc/" + std::to_string(pid)).c_str(), &entry) != 0) return "";
  const passwd* user = ::getpwuid(entry.st_uid);
  return user ? user->pw_name : "user " + std::to_string(entry.st_uid);
}

std::string processes_text(const std::vector<std::int64_t>& pids, std::size_t count) {
  const std::string user = user_of(pids.front());
  const std::string first = "pid " + std::to_string(pids.front()) + (user.empty() ? "" : " of " + user);
  return first + (count > 1 ? " and " + std::to_string(count - 1) + " more" : "");
}

}  // namespace hpsearch
