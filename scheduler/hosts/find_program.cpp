#include "scheduler/hosts/find_program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

bool executable(const fs::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(file.c_str(), X_OK) == 0;
}

std::optional<fs::path> on_path(const std::string& name) {
  const char* variable = std::getenv("PATH");
  const std::string path = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    if (!folder.empty() && executable(fs::path(folder) / name)) return fs::path(folder) / name;
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace

fs::path self_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

fs::path program_folder() { return self_program().parent_path(); }

std::optional<fs::path> find_program_near(const std::string& name, const fs::path& folder) {
  if (name.empty()) return std::nullopt;
  const fs::path here = folder / name;  // An absolute name stays as it is.
  if (executable(here)) return here;
  const bool plain = name.find('/') == std::string::npos;
  return plain && executable(program_folder() / name) ? std::optional(program_folder() / name) : std::nullopt;
}

std::optional<fs::path> find_program(const std::string& name, const fs::path& folder) {
  if (auto near = find_program_near(name, folder)) return near;
  return name.empty() || name.find('/') != std::string::npos ? std::nullopt : on_path(name);
}

}  // namespace hpsearch
