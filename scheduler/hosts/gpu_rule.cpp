#include "scheduler/hosts/gpu_rule.h"

#include <algorithm>

#include "scheduler/hosts/gpu_texts.h"

namespace hpsearch {

namespace {

std::string use_text(const GpuReading& unit) {
  const std::string who = unit.pids.empty() ? std::to_string(*unit.processes) + (*unit.processes == 1 ? " program" : " programs")
                                            : processes_text(unit.pids, static_cast<std::size_t>(*unit.processes));
  return memory_text(unit.memory_used) + " in use by " + who;
}

}  // namespace

std::string busy_reason(const GpuReading& unit, const GpuRule& rule) {
  if (!unit.fault.empty()) return "can't be read: " + unit.fault;
  if (unit.mode == ComputeMode::prohibited) return "its compute mode is prohibited";
  const std::int64_t spare = std::max(rule.spare_memory, static_cast<std::int64_t>(rule.spare_share * static_cast<double>(unit.memory)));
  if (unit.processes.value_or(0) > 0) return use_text(unit);
  if (unit.memory_used > spare) return memory_text(unit.memory_used) + " in use by no program that can be seen";
  if (unit.utilization.value_or(0) > rule.spare_utilization) return std::to_string(*unit.utilization) + " % busy";
  return "";
}

}  // namespace hpsearch
