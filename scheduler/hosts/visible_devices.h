#pragma once

#include <string>
#include <vector>

#include "trials/event.h"
#include "trials/spec.h"

namespace hpsearch {

// What CUDA_VISIBLE_DEVICES must hold for a trial to get these units: UUIDs, or the indices that mean the same cards with
// CUDA_DEVICE_ORDER=PCI_BUS_ID, for programs that read the variable as integers. An instance of a partitioned GPU has no
// index of its own and keeps its UUID.
std::string visible_devices(const std::vector<Unit>& units, DeviceNames names);

}  // namespace hpsearch
