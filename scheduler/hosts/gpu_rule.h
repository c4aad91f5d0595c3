#pragma once

#include <cstdint>
#include <string>

#include "scheduler/hosts/nvml.h"

namespace hpsearch {

// When a unit that no trial of ours runs on counts as free. Used memory catches programs that the driver does not list
// (those of other containers), the count of programs catches those that sit idle.
struct GpuRule {
  std::int64_t spare_memory = 500 << 20;   // Bytes that an idle unit may have in use,
  double spare_share = 0.03;               // or this share of its memory, whichever is more.
  int spare_utilization = 10;              // Percent.
};

// Why a program must not be started on the unit: "compute mode is prohibited", "9.1 GB in use by pid 4242 of alice",
// "45 % busy"; empty when it may be. One look proves little: ask twice, a second apart.
std::string busy_reason(const GpuReading& unit, const GpuRule& rule = {});

}  // namespace hpsearch
