// A stand-in for NVIDIA's management library, built as libnvidia-ml.so.1: it answers from the text file that
// FAKE_NVML names, read again at each count of devices. One line a setting or unit:
//
//   init 18                                    every start fails with this status
//   without nvmlDeviceGetMemoryInfo_v2         the driver does not know this call
//   gpu UUID memory=80000 used=450 util=3 processes=4242,17 mode=2 lost=1 gone=1 bridge=A
//   mig UUID memory=10000 used=20              an instance of the GPU above
//
// Memory in MiB. GPUs with the same bridge are close; without any, the driver can't tell. Calls for a unit with hang=PATH
// don't return while that file exists. A process "PATH" instead of a number is a file in which programs register, as
// tests/support/gpu_program.sh does: a line "PID MIB" for each. It counts while that process lives; memory of pid 0 stays.

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Unit {
  std::string uuid;
  std::map<std::string, std::string> values;
  std::vector<Unit*> instances;

  long number(const char* key) const {
    const auto found = values.find(key);
    return found == values.end() ? 0 : std::atol(found->second.c_str());
  }
  bool has(const char* key) const { return values.count(key) > 0; }

  std::string text(const char* key) const {
    const auto found = values.find(key);
    return found == values.end() ? "" : found->second;
  }

  // Pids, with the memory of each.
  std::vector<std::pair<unsigned, unsigned long long>> programs() const {
    std::vector<std::pair<unsigned, unsigned long long>> programs;
    std::istringstream list(text("processes"));
    for (std::string word; std::getline(list, word, ',');) {
      if (word.find('/') == std::string::npos) {
        programs.emplace_back(static_cast<unsigned>(std::atol(word.c_str())), 0);
        continue;
      }
      std::ifstream file(word);
      for (unsigned pid, mib; file >> pid >> mib;)
        if (pid == 0 || ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM) programs.emplace_back(pid, mib);
    }
    return programs;
  }

  std::vector<unsigned> pids() const {
    std::vector<unsigned> pids;
    for (const auto& [pid, mib] : programs())
      if (pid > 0) pids.push_back(pid);
    return pids;
  }

  unsigned long long used() const {
    unsigned long long used = static_cast<unsigned long long>(number("used"));
    for (const auto& [pid, mib] : programs()) used += mib;
    return used;
  }
};

struct Driver {
  int init = 0;
  std::set<std::string> missing;
  std::vector<Unit*> gpus;
};

// Calls may come from several threads, as to the real one.
std::mutex& calls() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}
using OneCall = std::lock_guard<std::mutex>;

// Units live for ever: handles given out stay good, also for a thread that hangs here while the program ends.
std::deque<Unit>& all_units() {
  static std::deque<Unit>& units = *new std::deque<Unit>;
  return units;
}

Driver read_driver() {
  Driver driver;
  const char* path = std::getenv("FAKE_NVML");
  std::ifstream file(path ? path : "");
  if (!file) driver.init = 9;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind >> word;
    if (kind == "init") driver.init = std::atoi(word.c_str());
    if (kind == "without") driver.missing.insert(word);
    if (kind != "gpu" && kind != "mig") continue;
    Unit* unit = &all_units().emplace_back(Unit{word, {}, {}});
    while (words >> word) unit->values[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    if (kind == "gpu") driver.gpus.push_back(unit);
    else driver.gpus.back()->instances.push_back(unit);
  }
  return driver;
}

Driver& driver() {
  static Driver& read = *new Driver(read_driver());
  return read;
}

int status_of(const Unit* unit, const char* call) {
  while (unit->has("hang") && ::access(unit->text("hang").c_str(), F_OK) == 0) ::usleep(1000);
  const OneCall one(calls());
  if (driver().missing.count(call)) return 13;
  return unit->has("lost") ? 15 : 0;
}

int copy(const std::string& text, char* to, unsigned size) {
  std::snprintf(to, size, "%s", text.c_str());
  return 0;
}

constexpr unsigned long long kMiB = 1 << 20;

}  // namespace

extern "C" {

int nvmlInit_v2() {
  const OneCall one(calls());
  driver() = read_driver();
  return driver().init;
}
int nvmlShutdown() { return 0; }

const char* nvmlErrorString(int status) {
  switch (status) {
    case 3: return "Not Supported";
    case 9: return "Driver Not Loaded";
    case 13: return "Function Not Found";
    case 15: return "GPU is lost";
    case 18: return "Driver/library version mismatch";
    default: return "Unknown Error";
  }
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  const OneCall one(calls());
  driver() = read_driver();
  *count = static_cast<unsigned>(driver().gpus.size());
  return driver().init;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Unit** unit) {
  const OneCall one(calls());
  if (index >= driver().gpus.size()) return 2;
  *unit = driver().gpus[index];
  return (*unit)->has("gone") ? 15 : 0;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, Unit** unit) {
  const OneCall one(calls());
  for (Unit* gpu : driver().gpus)
    if (gpu->uuid == uuid) return *unit = gpu, 0;
  return 6;
}

int nvmlDeviceGetTopologyCommonAncestor(Unit* a, Unit* b, int* level) {
  *level = a->text("bridge") == b->text("bridge") ? 30 : 50;
  return a->has("bridge") && b->has("bridge") ? 0 : 3;
}

int nvmlDeviceGetUUID(Unit* unit, char* text, unsigned size) { return copy(unit->uuid, text, size); }
int nvmlDeviceGetName(Unit*, char* text, unsigned size) { return copy("Fake GPU", text, size); }

struct Memory {
  unsigned long long total, free, used;
};
int nvmlDeviceGetMemoryInfo(Unit* unit, Memory* memory) {
  const int status = status_of(unit, "nvmlDeviceGetMemoryInfo");
  if (status) return status;
  memory->total = unit->number("memory") * kMiB;
  memory->used = (unit->used() + unit->number("reserved")) * kMiB;
  memory->free = memory->total - memory->used;
  return 0;
}

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
int nvmlDeviceGetMemoryInfo_v2(Unit* unit, MemoryV2* memory) {
  const int status = status_of(unit, "nvmlDeviceGetMemoryInfo_v2");
  if (status) return status;
  if (memory->version != (sizeof(MemoryV2) | 2u << 24)) return 25;
  memory->total = unit->number("memory") * kMiB;
  memory->reserved = unit->number("reserved") * kMiB;
  memory->used = unit->used() * kMiB;
  memory->free = memory->total - memory->reserved - memory->used;
  return 0;
}

struct Rates {
  unsigned gpu, memory;
};
int nvmlDeviceGetUtilizationRates(Unit* unit, Rates* rates) {
  if (!unit->has("util")) return 3;
  *rates = {static_cast<unsigned>(unit->number("util")), 0};
  return status_of(unit, "nvmlDeviceGetUtilizationRates");
}

int nvmlDeviceGetComputeMode(Unit* unit, int* mode) {
  *mode = static_cast<int>(unit->number("mode"));
  return status_of(unit, "nvmlDeviceGetComputeMode");
}

struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
int nvmlDeviceGetComputeRunningProcesses_v3(Unit* unit, unsigned* count, Process* entries) {
  const int status = status_of(unit, "nvmlDeviceGetComputeRunningProcesses_v3");
  if (status) return status;
  const std::vector<unsigned> pids = unit->pids();
  const unsigned room = *count;
  *count = static_cast<unsigned>(pids.size());
  if (pids.size() > room) return 7;
  for (std::size_t i = 0; i < pids.size(); ++i) entries[i] = {pids[i], 100 * kMiB, 0, 0};
  return 0;
}

int nvmlDeviceGetMigMode(Unit* unit, unsigned* current, unsigned* pending) {
  *current = *pending = unit->instances.empty() ? 0 : 1;
  return 0;
}
int nvmlDeviceGetMaxMigDeviceCount(Unit* unit, unsigned* count) {
  *count = static_cast<unsigned>(unit->instances.size()) + 1;  // Room for one more than there are.
  return 0;
}
int nvmlDeviceGetMigDeviceHandleByIndex(Unit* unit, unsigned index, Unit** instance) {
  if (index >= unit->instances.size()) return 6;
  *instance = unit->instances[index];
  return 0;
}

}  // extern "C"
