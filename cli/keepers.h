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
  bool scheduled = false;                      // A scheduler holds its study, or it belongs to a running `try`.
};

// A file in the folder of a `try`, locked while that runs.
inline constexpr const char* kTryLock = "lock";

// All of them, by pid; only those of the study in `folder` unless that is empty.
std::vector<Keeper> keepers(const std::filesystem::path& folder = {});

// Whether the process that `keeper` was is still that keeper: pids are given out again.
bool still_there(const Keeper& keeper);

}  // namespace hpsearch
