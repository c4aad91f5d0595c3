#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/nvml.h"

namespace hpsearch {

// Who limits the GPUs that a study may use on a machine.
struct GpuAllowance {
  std::optional<std::string> visible;            // CUDA_VISIBLE_DEVICES of the environment, where it is set.
  std::optional<std::vector<std::string>> gpus;  // The host entry's list: indices, UUIDs or their beginnings.
  std::optional<int> max_gpus;

  bool limits() const { return visible || gpus || max_gpus; }
};

struct AllowedGpus {
  std::vector<std::string> uuids;            // Units; of a partitioned GPU that is allowed, all its instances.
  std::string fault;                         // What was asked for and is not here, or is at odds: no unit then.
  std::string remark;                        // Worth a line: what was left out, and that no GPU is to be used.
};

// What both lists allow, at most `max_gpus` units. CUDA_VISIBLE_DEVICES is read as CUDA reads it: entries are indices in the
// driver's order, UUIDs or unambiguous beginnings of them, and the first that is none of these ends the list; but blanks
// around entries do no harm and one that is named twice counts once. Empty, "-1" and "NoDevFiles" (which Slurm sets) mean
// no GPU.
AllowedGpus allowed_gpus(const GpuAllowance& allowance, const std::vector<GpuReading>& units);

}  // namespace hpsearch
