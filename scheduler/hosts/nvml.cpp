#include "scheduler/hosts/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <utility>

#include "scheduler/hosts/gpu_groups.h"

namespace hpsearch {

namespace nvml {

// The parts of NVML's C interface that are used, as its manual describes them.
using Device = struct OpaqueDevice*;
enum Status { kSuccess = 0, kNotSupported = 3, kInsufficientSize = 7 };

struct MemoryInfo {
  unsigned long long total, free, used;
};
struct MemoryInfoV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
constexpr unsigned kMemoryInfoV2 = sizeof(MemoryInfoV2) | 2u << 24;

struct Utilization {
  unsigned gpu, memory;
};

// Versions 2 and 3 of the call; R535 drivers filled in entries of another size for a while, so that pids are believed
// only where they can be pids.
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
constexpr unsigned kMostProcesses = 64;
constexpr unsigned kMostPid = 1u << 22;

constexpr unsigned kUuidSize = 96, kNameSize = 96;

}  // namespace nvml

using namespace nvml;

// Every call that a driver of any age offers; null where it lacks one.
struct Nvml::Calls {
  explicit Calls(void* library) : library(library) {}
  ~Calls() {
    stop();
    ::dlclose(library);
  }

  // The reason why not; empty once the library is ready.
  std::string start() {
    if (!init || !shutdown || !count || !by_index) return "NVML lacks calls that every version has";
    const int status = ready ? static_cast<int>(kSuccess) : init();
    ready = status == kSuccess;
    return ready ? "" : text(status);
  }

  void stop() {
    if (std::exchange(ready, false)) shutdown();
  }

  template <typename F>
  void find(F& call, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!call) call = reinterpret_cast<F>(::dlsym(library, name));
  }

  void find_all() {
    find(init, {"nvmlInit_v2", "nvmlInit"});
    find(shutdown, {"nvmlShutdown"});
    find(error, {"nvmlErrorString"});
    find(count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
    find(by_index, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
    find(uuid, {"nvmlDeviceGetUUID"});
    find(name, {"nvmlDeviceGetName"});
    find(memory, {"nvmlDeviceGetMemoryInfo"});
    find(memory_v2, {"nvmlDeviceGetMemoryInfo_v2"});
    find(utilization, {"nvmlDeviceGetUtilizationRates"});
    find(processes, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    find(compute_mode, {"nvmlDeviceGetComputeMode"});
    find(by_uuid, {"nvmlDeviceGetHandleByUUID"});
    find(common_ancestor, {"nvmlDeviceGetTopologyCommonAncestor"});
    find(mig_mode, {"nvmlDeviceGetMigMode"});
    find(mig_count, {"nvmlDeviceGetMaxMigDeviceCount"});
    find(mig_device, {"nvmlDeviceGetMigDeviceHandleByIndex"});
  }

  std::string text(int status) const {
    const char* words = error ? error(status) : nullptr;
    return words ? words : "NVML status " + std::to_string(status);
  }

  // The level at which two GPUs meet; none where the driver can't tell.
  std::optional<int> ancestor(const std::string& a, const std::string& b) const {
    Device one = nullptr, other = nullptr;
    int level = 0;
    if (!by_uuid || !common_ancestor) return std::nullopt;
    if (by_uuid(a.c_str(), &one) != kSuccess || by_uuid(b.c_str(), &other) != kSuccess) return std::nullopt;
    return common_ancestor(one, other, &level) == kSuccess ? std::optional(level) : std::nullopt;
  }

  void* library;
  bool ready = false;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error)(int) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*by_index)(unsigned, Device*) = nullptr;
  int (*by_uuid)(const char*, Device*) = nullptr;
  int (*common_ancestor)(Device, Device, int*) = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  int (*name)(Device, char*, unsigned) = nullptr;
  int (*memory)(Device, MemoryInfo*) = nullptr;
  int (*memory_v2)(Device, MemoryInfoV2*) = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*processes)(Device, unsigned*, ProcessInfo*) = nullptr;
  int (*compute_mode)(Device, int*) = nullptr;
  int (*mig_mode)(Device, unsigned*, unsigned*) = nullptr;
  int (*mig_count)(Device, unsigned*) = nullptr;
  int (*mig_device)(Device, unsigned, Device*) = nullptr;
};

namespace {

class DeviceReader {
 public:
  DeviceReader(const Nvml::Calls& calls, int index) : calls_(calls), index_(index) {}

  // The units of one GPU: itself, or its MIG instances.
  void read(Device gpu, std::vector<GpuReading>& units) const {
    const std::string gpu_uuid = uuid(gpu);
    unsigned current = 0, pending = 0, most = 0;
    if (!calls_.mig_mode || calls_.mig_mode(gpu, &current, &pending) != kSuccess || current == 0)
      return units.push_back(unit(gpu, gpu_uuid));
    if (!calls_.mig_count || calls_.mig_count(gpu, &most) != kSuccess) return;
    for (unsigned i = 0; i < most; ++i)
      if (Device instance = nullptr; calls_.mig_device(gpu, i, &instance) == kSuccess) units.push_back(unit(instance, gpu_uuid));
  }

 private:
  std::string uuid(Device device) const {
    char text[kUuidSize] = "";
    return calls_.uuid && calls_.uuid(device, text, sizeof text) == kSuccess ? text : "";
  }

  GpuReading unit(Device device, const std::string& gpu) const {
    GpuReading reading;
    reading.uuid = uuid(device);
    reading.gpu = gpu;
    reading.index = index_;
    char name[kNameSize] = "";
    if (calls_.name && calls_.name(device, name, sizeof name) == kSuccess) reading.name = name;
    read_memory(device, reading);
    read_load(device, reading);
    read_processes(device, reading);
    return reading;
  }

  void read_memory(Device device, GpuReading& reading) const {
    MemoryInfoV2 precise{kMemoryInfoV2, 0, 0, 0, 0};
    if (calls_.memory_v2 && calls_.memory_v2(device, &precise) == kSuccess) {
      reading.memory = static_cast<std::int64_t>(precise.total - precise.reserved);
      reading.memory_used = static_cast<std::int64_t>(precise.used);
      return;
    }
    MemoryInfo plain{};
    const int status = calls_.memory ? calls_.memory(device, &plain) : static_cast<int>(kNotSupported);
    if (status != kSuccess) reading.fault = calls_.text(status);
    reading.memory = static_cast<std::int64_t>(plain.total);
    reading.memory_used = static_cast<std::int64_t>(plain.used);
  }

  void read_load(Device device, GpuReading& reading) const {
    Utilization rates{};
    if (calls_.utilization && calls_.utilization(device, &rates) == kSuccess)
      reading.utilization = static_cast<int>(rates.gpu);
    int mode = 0;
    if (!calls_.compute_mode || calls_.compute_mode(device, &mode) != kSuccess) return;
    reading.mode = mode == 2 ? ComputeMode::prohibited : mode == 0 ? ComputeMode::shared : ComputeMode::exclusive;
  }

  // The count alone first: it needs no agreement about the size of an entry.
  void read_processes(Device device, GpuReading& reading) const {
    unsigned count = 0;
    const int status = calls_.processes ? calls_.processes(device, &count, nullptr) : static_cast<int>(kNotSupported);
    if (status == kSuccess) reading.processes = 0;
    if (status != kInsufficientSize) return;
    reading.processes = static_cast<int>(count);
    std::vector<ProcessInfo> entries(2 * kMostProcesses);  // Room for entries that are larger than ours.
    count = kMostProcesses;
    if (calls_.processes(device, &count, entries.data()) != kSuccess) return;
    for (unsigned i = 0; i < std::min(count, kMostProcesses); ++i)
      if (entries[i].pid > 0 && entries[i].pid < kMostPid) reading.pids.push_back(entries[i].pid);
  }

  const Nvml::Calls& calls_;
  int index_;
};

}  // namespace

std::unique_ptr<Nvml> Nvml::load() {
  void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  auto calls = std::make_unique<Calls>(library);
  calls->find_all();
  return std::unique_ptr<Nvml>(new Nvml(std::move(calls)));
}

Nvml::Nvml(std::unique_ptr<Calls> calls) : calls_(std::move(calls)) {}
Nvml::~Nvml() = default;

GpuReadings Nvml::read() {
  GpuReadings readings;
  unsigned count = 0;
  readings.fault = calls_->start();
  if (!readings.fault.empty()) return readings;
  if (const int status = calls_->count(&count); status != kSuccess) {
    readings.fault = calls_->text(status);
    calls_->stop();  // The driver may have been replaced: the next reading starts anew.
  }
  for (unsigned i = 0; readings.fault.empty() && i < count; ++i) {
    Device gpu = nullptr;
    const int status = calls_->by_index(i, &gpu);
    if (status == kSuccess) DeviceReader(*calls_, static_cast<int>(i)).read(gpu, readings.units);
    else readings.units.push_back({"", "", static_cast<int>(i), "", 0, 0, 0, {}, {}, {}, ComputeMode::shared, calls_->text(status)});
  }
  read_groups(readings.units);
  return readings;
}

// Where things are plugged in does not change while the driver lists the same GPUs.
void Nvml::read_groups(std::vector<GpuReading>& units) {
  std::vector<std::string> gpus;
  for (const GpuReading& unit : units)
    if (!unit.gpu.empty() && (gpus.empty() || gpus.back() != unit.gpu)) gpus.push_back(unit.gpu);
  const bool known = std::all_of(gpus.begin(), gpus.end(), [&](const std::string& gpu) { return groups_.contains(gpu); });
  if (!known) {
    const auto ancestor = [&](int a, int b) { return calls_->ancestor(gpus[a], gpus[b]); };
    const std::vector<int> groups = gpu_groups(static_cast<int>(gpus.size()), ancestor);
    for (std::size_t i = 0; i < gpus.size(); ++i) groups_[gpus[i]] = groups[i];
  }
  for (GpuReading& unit : units)
    if (!unit.gpu.empty()) unit.group = groups_[unit.gpu];
}

}  // namespace hpsearch
