#include "cli/keepers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "scheduler/hosts/file_descriptor.h"
#include "store/study_lock.h"
#include "trials/number.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

// Empty for a process that ends meanwhile: then the reading fails, and an iterator would throw.
std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The folder given to `hpsearch keeper FOLDER`; none for any other process.
std::optional<fs::path> kept_folder(const fs::path& process) {
  std::istringstream words(contents(process / "cmdline"));
  std::string program, verb, folder, more;
  std::getline(words, program, '\0');
  std::getline(words, verb, '\0');
  std::getline(words, folder, '\0');
  const bool keeper = fs::path(program).filename() == "hpsearch" && verb == "keeper" && !folder.empty();
  return keeper && !std::getline(words, more, '\0') ? std::optional(fs::path(folder)) : std::nullopt;
}

bool own(const fs::path& process) {
  struct stat info {};
  return ::stat(process.c_str(), &info) == 0 && info.st_uid == ::getuid();
}

// Field 22 of stat, counted after the program's name, which may hold blanks: start in ticks since the machine's.
std::int64_t age_s(const fs::path& process) {
  const std::string text = contents(process / "stat");
  std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int i = 3; i < 22; ++i) fields >> skipped;
  double started = 0, up = 0;
  fields >> started;
  std::istringstream(contents("/proc/uptime")) >> up;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(up - started / static_cast<double>(::sysconf(_SC_CLK_TCK))));
}

int number_of(const fs::path& name) { return static_cast<int>(parse_integer(name.string()).value_or(0)); }

// A folder without a database is that of a `try`, held while that runs, or a study's on another machine.
Keeper::Scheduler scheduler_of(const fs::path& study) {
  std::error_code error;
  const bool database = fs::exists(study / "study.db", error);
  if (database) return study_holder(study / "study.db") ? Keeper::Scheduler::here : Keeper::Scheduler::none;
  const FileDescriptor lock(::open((study / kTryLock).c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock.open()) return Keeper::Scheduler::elsewhere;
  return ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 ? Keeper::Scheduler::here : Keeper::Scheduler::none;
}

// `folder` is STUDY/trials/0007/attempts/2.
Keeper keeper_of(const fs::path& process, const fs::path& folder) {
  Keeper keeper;
  keeper.pid = number_of(process.filename());
  keeper.attempt = number_of(folder.filename());
  const fs::path trial = folder.parent_path().parent_path();
  keeper.trial = number_of(trial.filename());
  keeper.study = trial.parent_path().parent_path();
  keeper.age_s = age_s(process);
  keeper.scheduler = scheduler_of(keeper.study);
  return keeper;
}

}  // namespace

std::vector<Keeper> keepers(const fs::path& folder) {
  std::vector<Keeper> found;
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc", error)) {
    if (number_of(process.path().filename()) == 0 || !own(process.path())) continue;
    if (const auto kept = kept_folder(process.path())) found.push_back(keeper_of(process.path(), *kept));
  }
  if (!folder.empty()) std::erase_if(found, [&](const Keeper& keeper) { return keeper.study != folder; });
  std::sort(found.begin(), found.end(), [](const Keeper& a, const Keeper& b) { return a.pid < b.pid; });
  return found;
}

bool still_there(const Keeper& keeper) {
  const fs::path process = fs::path("/proc") / std::to_string(keeper.pid);
  const auto folder = kept_folder(process);
  if (!folder) return false;
  const Keeper now = keeper_of(process, *folder);
  return now.study == keeper.study && now.trial == keeper.trial && now.attempt == keeper.attempt;
}

}  // namespace hpsearch
