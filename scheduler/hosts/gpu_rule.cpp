#include "scheduler/hosts/gpu_rule.h"

#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

namespace hpsearch {

namespace {

std::string memory_text(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

// "pid 4242 of alice"; a pid of another container has no entry here.
std::string process_text(std::int64_t pid) {
  std::string text = "pid " + std::to_string(pid);
  struct stat entry {};
  if (::stat(("/proc/" + std::to_string(pid)).c_str(), &entry) != 0) return text;
  const passwd* user = ::getpwuid(entry.st_uid);
  return text + " of " + (user ? user->pw_name : "user " + std::to_string(entry.st_uid));
}

std::string processes_text(const GpuReading& unit) {
  if (unit.pids.empty()) return std::to_string(*unit.processes) + (*unit.processes == 1 ? " program" : " programs");
  const std::size_t more = static_cast<std::size_t>(*unit.processes) - std::min<std::size_t>(1, unit.pids.size());
  return process_text(unit.pids.front()) + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

}  // namespace

std::string busy_reason(const GpuReading& unit, const GpuRule& rule) {
  if (!unit.fault.empty()) return "can't be read: " + unit.fault;
  if (unit.mode == ComputeMode::prohibited) return "its compute mode is prohibited";
  const std::int64_t spare = std::max(rule.spare_memory, static_cast<std::int64_t>(rule.spare_share * static_cast<double>(unit.memory)));
  if (unit.processes.value_or(0) > 0) return memory_text(unit.memory_used) + " in use by " + processes_text(unit);
  if (unit.memory_used > spare) return memory_text(unit.memory_used) + " in use by no program that can be seen";
  if (unit.utilization.value_or(0) > rule.spare_utilization) return std::to_string(*unit.utilization) + " % busy";
  return "";
}

}  // namespace hpsearch
