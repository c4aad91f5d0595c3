#include "dashboard/study_argument.h"

#include <cstdlib>
#include <sstream>

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

fs::path usual_folder() {
  const char* variable = std::getenv("HPSEARCH_DIR");
  return fs::absolute(variable && *variable ? variable : "hpsearch-studies").lexically_normal();
}

bool on_path(const fs::path& program) {
  const char* variable = std::getenv("PATH");
  std::istringstream folders(variable ? variable : "");
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path found = fs::path(folder) / "hpsearch"; fs::exists(found, error))
      return fs::equivalent(found, program, error);
  return false;
}

std::string quoted(const std::string& text) {
  if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%") == std::string::npos)
    return text;
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string study_argument(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return folder.parent_path() == usual_folder() ? name : name + " --dir " + quoted(folder.parent_path().string());
}

std::string program_argument() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error || program.filename() != "hpsearch" || on_path(program)) return "hpsearch";
  const fs::path near = program.lexically_relative(fs::current_path(error));
  const bool below = !near.empty() && *near.begin() != "..";
  return quoted(below && near.has_parent_path() ? near.string() : program.string());
}

}  // namespace hpsearch
