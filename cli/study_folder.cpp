#include "cli/study_folder.h"

#include <algorithm>

#include "trials/spec.h"
#include "trials/suggestion.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDefaultFolder = "hpsearch-studies";

bool holds_study(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "study.db", error);
}

[[noreturn]] void none_of(const CommonOptions& common, const std::string& wanted) {
  const std::vector<std::string> names = study_names(common);
  const std::string folder = studies_folder(common).string();
  if (names.empty())
    throw UserError((wanted.empty() ? "no study" : "no study \"" + wanted + "\": there is none") + " in " + folder +
                    "; hpsearch run SPACE.json begins one, --dir names another folder");
  if (wanted.empty()) throw UserError("which study? " + folder + " holds " + joined(names));
  throw UserError("no study \"" + wanted + "\" in " + folder + "; it holds " + joined(names));
}

fs::path only_study(const CommonOptions& common) {
  const std::vector<std::string> names = study_names(common);
  if (names.size() != 1) none_of(common, "");
  return studies_folder(common) / names.front();
}

bool plain_name(const std::string& study) {
  return study.find('/') == std::string::npos && study != "." && study != "..";
}

}  // namespace

fs::path studies_folder(const CommonOptions& common) {
  return fs::absolute(common.dir.empty() ? fs::path(kDefaultFolder) : fs::path(common.dir)).lexically_normal();
}

fs::path study_folder(const CommonOptions& common, const std::string& study) {
  if (study.empty()) return only_study(common);
  const fs::path named = studies_folder(common) / study;
  if (plain_name(study) && holds_study(named)) return named;
  std::error_code error;
  if (fs::is_regular_file(study, error)) {
    const std::string name = read_spec(study).name;
    if (holds_study(studies_folder(common) / name)) return studies_folder(common) / name;
    none_of(common, name);
  }
  if (holds_study(study)) return fs::absolute(fs::path(study) / "").lexically_normal().parent_path();
  none_of(common, study);
}

std::vector<std::string> study_names(const CommonOptions& common) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(studies_folder(common), error))
    if (holds_study(entry.path())) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace hpsearch
