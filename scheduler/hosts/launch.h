#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trials/json.h"
#include "trials/spec.h"

namespace hpsearch {

// The keeper's descriptor of the first device's lock; the others follow. It and its program have them open until they end,
// which is what holds the devices. Far from the numbers that shells use.
inline constexpr int kFirstLock = 20;

// What a keeper does when no verdict comes in time.
enum class NoAnswer { go_on, pause };

// Devices that an allocation has given to the keeper: those of its CUDA_VISIBLE_DEVICES, `count` from `first` on.
struct GivenDevices {
  int first = 0, count = 0;                  // 0: all of them.
};

// Everything a keeper must know about its attempt: launch.json. Written once, before the keeper starts.
struct Launch {
  std::string id;                            // The attempt's 128 bits, hex.
  int trial = 0, attempt = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> argv;
  std::string folder;                        // Where a relative argv[0] is looked up: the space file's.
  std::string cwd;                           // Working folder of the program.
  std::string setup;                         // A shell line to run before it, in one shell with it; empty: no shell.
  std::map<std::string, std::string> env;    // Added to the keeper's own environment.
  Json params = Json::object();
  std::vector<std::string> devices;          // UUIDs of GPUs or of their instances.
  double share = 1;                          // Of each.
  bool by_index = false;                     // CUDA_VISIBLE_DEVICES is to hold indices.
  std::string visible_devices;               // What CUDA_VISIBLE_DEVICES holds; empty: the UUIDs.
  int locks = 0;                             // Locks of devices that the keeper inherits, from kFirstLock on.
  std::optional<GivenDevices> given;         // Instead of `devices`.
  bool per_gpu = false;                      // A process for each device.
  int threads = 1;                           // For OMP_NUM_THREADS.
  std::string metric;                        // The first one: the metric that rungs are about.
  std::optional<double> milestone;           // The step whose report waits for a verdict.
  std::optional<double> resource, resource_max;  // The level to reach, and R.
  bool measured = false;                     // Steps are seconds that the keeper measures.
  double spent_seconds = 0;                  // By earlier attempts, where measured.
  std::string artifact_dir, resume_dir, resume_checkpoint;
  std::optional<Span> trial_time, silence;
  Span grace{30'000}, verdict_wait{10'000};
  NoAnswer on_no_answer = NoAnswer::go_on;
  std::vector<CollectRule> collect;
  std::string socket;                        // Path that scheduler and trial connect to; empty: the keeper chooses it.
  bool mailbox = false;                      // The scheduler is elsewhere: its words stand in a file, not on the socket.
  std::optional<Span> warning;               // USR1 says that the allocation ends in this time: the trial pauses then.
};

Json launch_json(const Launch& launch);
// Throws std::invalid_argument or a JSON exception when it is not ours.
Launch parse_launch(const std::string& text);

}  // namespace hpsearch
