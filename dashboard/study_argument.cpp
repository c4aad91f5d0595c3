#include "dashboard/study_argument.h"

#include <cstdlib>

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

fs::path usual_folder() {
  const char* variable = std::getenv("HPSEARCH_DIR");
  return fs::absolute(variable && *variable ? variable : "hpsearch-studies").lexically_normal();
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

}  // namespace hpsearch
