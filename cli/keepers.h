#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hpsearch {

// A process of this user on this machine that keeps one attempt.
struct Keeper {
  pid_t pid = 0;
  std::filesystem::path study;                 // The study's folder.
  int trial = 0, attempt = 0;
  std::int64_t age_s = 0;
  enum class Scheduler {
    here,       // One holds its study, or it belongs to a running `try`.
    none,       // The study is here and no scheduler is.
    elsewhere   // The study's log is on another machine, or gone: who follows it can't be told from here.
  } scheduler = Scheduler::none;
};

// A file in the folder of a `try`, locked while that runs.
inline constexpr const char* kTryLock = "lock";

// All of them, by pid; only those of the study in `folder` unless that is empty.
std::vector<Keeper> keepers(const std::filesystem::path& folder = {});

// Whether the process that `keeper` was is still that keeper: pids are given out again.
bool still_there(const Keeper& keeper);

}  // namespace hpsearch
