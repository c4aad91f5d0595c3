#include "scheduler/hosts/foreign_programs.h"

#include <algorithm>

#include "scheduler/hosts/gpu_texts.h"
#include "scheduler/hosts/process_tree.h"

namespace hpsearch {

namespace {

bool foreign(std::int64_t pid, const std::set<std::string>& attempts, const std::set<std::string>& users) {
  const std::vector<pid_t> line = lineage(static_cast<pid_t>(pid));
  if (line.empty() || users.contains(user_of(pid))) return false;
  return std::none_of(line.begin(), line.end(), [&](pid_t process) { return attempts.contains(attempt_of(process)); });
}

}  // namespace

std::string foreign_programs(const std::vector<std::int64_t>& pids, const std::set<std::string>& attempts,
                             const std::set<std::string>& users) {
  std::vector<std::int64_t> found;
  for (const std::int64_t pid : pids)
    if (foreign(pid, attempts, users)) found.push_back(pid);
  return found.empty() ? "" : processes_text(found, found.size());
}

}  // namespace hpsearch
