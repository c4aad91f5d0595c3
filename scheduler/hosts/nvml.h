#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hpsearch {

enum class ComputeMode { shared, exclusive, prohibited };

// What the driver says of one unit that a trial can be given: a whole GPU, or an instance of one that is partitioned
// (MIG). A GPU in MIG mode is no unit itself.
struct GpuReading {
  std::string uuid;                      // "GPU-..." or "MIG-...": the key everywhere; indices change.
  std::string name;
  int index = 0;                         // Of the GPU, in the driver's order: for people only.
  std::string gpu;                       // UUID of the whole GPU: its own, or a MIG instance's parent's.
  int group = 0;                         // The same for GPUs that are close to each other (gpu_groups.h).
  std::int64_t memory = 0;               // Bytes that programs may use.
  std::int64_t memory_used = 0;          // Bytes, the driver's own reserve left out where it says so.
  std::optional<int> utilization;        // Percent of the last sample period; none where the driver can't tell.
  std::optional<int> processes;          // Computing on it, as far as this user may see; none where unknown.
  std::vector<std::int64_t> pids;        // Of these, for messages.
  ComputeMode mode = ComputeMode::shared;
  std::string fault;                     // Why it can't be read ("GPU is lost"); the rest is then empty.
};

struct GpuReadings {
  std::vector<GpuReading> units;         // In the driver's order.
  std::string fault;                     // Why nothing can be seen, though there may be GPUs ("driver/library version
                                         // mismatch"); empty when `units` is all there is.
};

// NVIDIA's management library, loaded at run time. Calls into a sick driver can hang: call from a thread that may.
class Nvml {
 public:
  // None where the library is not installed: there are no NVIDIA GPUs here.
  static std::unique_ptr<Nvml> load();
  ~Nvml();

  GpuReadings read();

  struct Calls;

 private:
  explicit Nvml(std::unique_ptr<Calls> calls);
  void read_groups(std::vector<GpuReading>& units);

  std::unique_ptr<Calls> calls_;
  std::map<std::string, int> groups_;        // By the GPU's UUID; asked for again when there are others.
};

}  // namespace hpsearch
