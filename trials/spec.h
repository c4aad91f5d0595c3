#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trials/command.h"
#include "trials/host_spec.h"
#include "trials/json.h"
#include "trials/space.h"
#include "trials/time.h"

namespace hpsearch {

enum class Goal { minimize, maximize };

struct Metric {
  std::string name;
  std::optional<Goal> goal;                  // Absent for an outcome limit.
  std::optional<double> at_most, at_least;
  int smooth = 1;                            // A value is the mean of the last `smooth` reports that carry the metric.
};

// What a trial spends. "seconds" is measured by the keeper: running time of all attempts, waiting for verdicts excluded.
struct Resource {
  std::string name;
  double min = 1, max = 1;                   // Whole numbers, 1 <= min <= max.
  bool measured() const { return name == "seconds"; }
};

// {"type": ..., options}. `type` is one of the names that search/ knows; options are checked by the parser.
struct AlgorithmSpec {
  std::string type;
  Json options = Json::object();
};

struct SearchSpec {
  AlgorithmSpec sampler{"auto"};
  AlgorithmSpec pruner{"none"};              // The default is resolved by the parser.
  std::optional<std::uint64_t> seed;         // Drawn at creation and kept in the log when absent.
};

struct Limits {
  std::optional<std::int64_t> trials;
  std::optional<Span> time, trial_time, silence;
  std::optional<double> gpu_hours, cost;
  std::optional<std::int64_t> disk_bytes;
  int failures_in_a_row = 10;
  int failures_at_start = 5;
};

enum class WorkFolder { space_file, trial };
enum class ValueRule { last, best };
enum class DeviceNames { uuid, index };      // What CUDA_VISIBLE_DEVICES holds.
enum class LaunchRule { once, per_gpu };     // Processes a trial starts.

struct TrialSpec {
  std::optional<double> gpus;                // None: "auto", one where any host has one. Below 1: a part of one.
  std::optional<double> cpus;                // None: one, and GPU trials are not limited by cores.
  std::optional<std::int64_t> memory;        // Bytes of the host's that one trial needs.
  std::optional<std::int64_t> gpu_memory;    // Bytes that each of its GPUs must have.
  std::string gpu_model;                     // Part of the GPU's name, in any case: "a100".
  std::vector<std::string> labels;           // That the host must have.
  DeviceNames device_env = DeviceNames::uuid;
  LaunchRule launch = LaunchRule::once;
  bool checkpoint = false;
  int retries = 2;
  int keep_checkpoints = 3;
  Span grace{30'000};
  Span verdict_wait{10'000};
  std::vector<int> retry_on;                 // Exit statuses, beside 75, that are retried.
  std::map<std::string, std::string> env;
  WorkFolder cwd = WorkFolder::space_file;
  ValueRule value = ValueRule::last;         // Key "value".
};

// A rule that reads metrics off a program's own standard output (or "stderr").
struct CollectRule {
  std::string stream = "stdout";
  std::string pattern;                       // ECMAScript regular expression, one match a line.
  std::vector<std::string> as;               // Name of each group: "step" or a metric.
};

// "files": the code that a trial needs, copied to hosts that don't have it.
struct FilesSpec {
  std::vector<std::string> patterns;         // Globs relative to the space file; a folder means all in it.
  std::int64_t limit = std::int64_t{1} << 30;  // Bytes of all together; more is refused.
};

// A checked space file. Immutable; `document` is the file as parsed (order and numbers kept), which the log stores
// and from which parse_spec makes the same StudySpec again.
struct StudySpec {
  std::string name;
  std::string folder;                        // Absolute folder of the space file: commands run here.
  Command command;
  Json settings = Json::object();
  std::vector<Metric> metrics;               // metrics[0] has a goal: early stopping and `best` follow it.
  Space space;
  std::optional<Resource> resource;
  SearchSpec search;
  Limits limits;
  TrialSpec trial;
  std::vector<HostSpec> hosts;
  std::string hosts_file;                    // Of "hosts": "lab.json", until read_spec has read it.
  std::optional<FilesSpec> files;
  std::vector<CollectRule> collect;
  std::vector<Json> enqueue;                 // Points to try first.
  Json document;
  std::vector<std::string> warnings;         // For instance a parameter that reaches the program in no way.

  const Metric& metric() const { return metrics.front(); }
  bool maximize() const { return metrics.front().goal == Goal::maximize; }
};

// Reads and checks the whole text before answering; `file` is its path, for messages and for the default name.
// Throws UserError with every fault, one a line: "space.json:7: params.lr.lwo: unknown key; did you mean \"low\"?"
StudySpec parse_spec(const std::string& text, const std::string& file);

// The same from a stored document (no lines to name).
StudySpec parse_spec_document(const Json& document, const std::string& name, const std::string& folder);

// Reads the file, and the file of hosts that it names (then part of `document`); UserError when one can't be read
// (absent, a folder, empty).
StudySpec read_spec(const std::string& file);

// A file of hosts: the list that "hosts" could hold, whose "vars" may name the settings of any study.
std::vector<HostSpec> read_hosts_file(const std::string& file);

// `spec` with the hosts of such a file in place of its own, in `document` too.
StudySpec with_hosts_file(const StudySpec& spec, const std::string& file);

}  // namespace hpsearch
