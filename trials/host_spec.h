#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trials/json.h"
#include "trials/time.h"

namespace hpsearch {

enum class HostKind { local, ssh, slurm, command };

// "slurm": {...}. What is absent is Slurm's own default; resources derive from trial.gpus, cpus and memory.
struct SlurmSpec {
  std::string partition, account, qos;
  std::string time;                          // As sbatch takes it: "30:00", "1-12:00:00".
  int max_jobs = 100;
  bool pilot = false;                        // "mode": "pilot"; else one job an attempt.
  Span warn{300'000};                        // Before the job's time limit: no later than then a trial pauses.
  std::vector<std::string> sbatch;           // More arguments: "--constraint=a100".
};

// "elastic": {...}: instances of a host that a command of the user's brings up and takes down.
struct ElasticSpec {
  std::vector<std::string> launch, release;  // Prints the address; gets it as "{host}".
  int max = 1;
  Span idle{600'000};
};

// One entry of "hosts": exactly one kind key, the siblings are common to all kinds.
struct HostSpec {
  std::string name = "local";                // Default: the ssh destination, "slurm", the command's program, "local".
  HostKind kind = HostKind::local;
  std::string ssh;                           // Destination as ssh takes it: "user@gpu1", or a name of its configuration.
  std::vector<std::string> ssh_options;      // Arguments of ssh before the destination: {"-J", "jump", "-p", "2222"}.
  std::vector<std::string> command;          // Whose standard input and output reach the host.
  SlurmSpec slurm;
  std::optional<ElasticSpec> elastic;
  std::string entry;                         // Of an instance (see session_hosts): the name of the elastic entry.
  std::optional<int> slots;                  // Most trials at a time.
  std::optional<std::vector<std::string>> gpus;  // The only ones to use: indices or UUIDs (or their beginnings).
  std::optional<int> max_gpus;
  std::string dir;                           // Where trials live there; empty: ~/hpsearch-studies.
  std::string setup;                         // A shell line before each trial's program: "module load cuda".
  std::map<std::string, std::string> env;
  Json vars = Json::object();                // Settings that differ on this host.
  std::vector<std::string> labels;
  std::string program;                       // hpsearch as installed there; empty: this one is copied.
  std::optional<double> price_per_hour;
  Span lost_after{1'800'000};                // Unreachable for longer: its trials go on elsewhere. Elastic: 2 minutes.
  Json document;                             // The entry as written.
};

}  // namespace hpsearch
