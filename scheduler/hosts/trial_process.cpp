#include "scheduler/hosts/trial_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <system_error>

#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/spawn.h"
#include "trials/number.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

using Environment = std::map<std::string, std::string>;

Environment own_environment() {
  Environment result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (const auto equals = text.find('='); equals != std::string::npos)
      result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ",") + part;
  return result;
}

void set_if(Environment& env, const char* name, const std::optional<double>& value) {
  if (value) env[name] = format_number(*value);
  else env.erase(name);
}

void set_if(Environment& env, const char* name, const std::string& value) {
  if (!value.empty()) env[name] = value;
  else env.erase(name);
}

void add_protocol(Environment& env, const Launch& launch, const AttemptFolder& folder) {
  env["HPSEARCH_TRIAL"] = std::to_string(launch.trial);
  env["HPSEARCH_ATTEMPT"] = std::to_string(launch.attempt);
  env["HPSEARCH_ATTEMPT_ID"] = launch.id;
  env["HPSEARCH_SEED"] = std::to_string(launch.seed);
  env["HPSEARCH_PARAMS"] = folder.params();
  env["HPSEARCH_CHECKPOINT_DIR"] = folder.checkpoint();
  env["HPSEARCH_ARTIFACT_DIR"] = launch.artifact_dir;
  env["HPSEARCH_CHANNEL"] = launch.socket;
  env["HPSEARCH_GPUS"] = launch.given ? env["CUDA_VISIBLE_DEVICES"] : joined(launch.devices);
  set_if(env, "HPSEARCH_RESOURCE", launch.resource);
  set_if(env, "HPSEARCH_RESOURCE_MAX", launch.resource_max);
  set_if(env, "HPSEARCH_RESUME_DIR", launch.resume_dir);
  set_if(env, "HPSEARCH_RESUME_CHECKPOINT", launch.resume_checkpoint);
}

// What torchrun tells the processes that it starts on one machine.
void add_rank(Environment& env, const TrialRank& rank) {
  for (const char* name : {"RANK", "LOCAL_RANK"}) env[name] = std::to_string(rank.rank);
  for (const char* name : {"WORLD_SIZE", "LOCAL_WORLD_SIZE"}) env[name] = std::to_string(rank.count);
  env["MASTER_ADDR"] = "127.0.0.1";
  env["MASTER_PORT"] = std::to_string(rank.port);
}

// Of the devices that an allocation gave, this attempt's: all, or some of them.
void take_given(Environment& env, const GivenDevices& given) {
  const auto all = env.find("CUDA_VISIBLE_DEVICES");
  if (all == env.end() || given.count == 0) return;
  std::vector<std::string> devices;
  std::istringstream in(all->second);
  for (std::string device; std::getline(in, device, ',');) devices.push_back(device);
  const auto first = devices.begin() + std::min<std::ptrdiff_t>(given.first, std::ssize(devices));
  const auto last = devices.begin() + std::min<std::ptrdiff_t>(given.first + given.count, std::ssize(devices));
  all->second = joined({first, last});
}

void add_devices(Environment& env, const Launch& launch) {
  if (launch.given) take_given(env, *launch.given);
  else env["CUDA_VISIBLE_DEVICES"] = launch.visible_devices.empty() ? joined(launch.devices) : launch.visible_devices;
  if (!launch.devices.empty()) env["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
}

void add_defaults(Environment& env, const Launch& launch, const TrialRank& rank) {
  env.emplace("OMP_NUM_THREADS", std::to_string(std::max(1, launch.threads / rank.count)));
  env.emplace("PYTHONUNBUFFERED", "1");  // A report that waits in a buffer is judged too late to save anything.
}

// So that a shell script finds `hpsearch report`.
void add_path(Environment& env) {
  std::string& path = env["PATH"];
  path += (path.empty() ? "" : ":") + program_folder().string();
}

// What is started: the program, or the shell that makes its setup first. A program near the study is found before the
// setup, any other on the PATH that it has made.
std::vector<std::string> whole_command(const Launch& launch) {
  if (launch.setup.empty()) return launch.argv;
  std::vector<std::string> argv = launch.argv;
  if (const auto near = find_program_near(argv.front(), launch.folder)) argv.front() = *near;
  argv.insert(argv.begin(), program_folder().string());  // A login shell makes its PATH anew: `hpsearch report` is to be found.
  return setup_command(launch.setup, "PATH=\"$PATH:$1\"; export PATH; shift; exec \"$@\"", argv);
}

[[noreturn]] void explain(const std::system_error& error, const std::string& name) {
  throw LaunchFault("cannot start " + name + ": " + error.code().message());
}

}  // namespace

int rank_count(const Launch& launch) {
  if (!launch.per_gpu) return 1;
  Environment env = own_environment();
  add_devices(env, launch);
  const std::string& devices = env["CUDA_VISIBLE_DEVICES"];
  return 1 + static_cast<int>(std::count(devices.begin(), devices.end(), ','));
}

std::vector<std::string> trial_environment(const Launch& launch, const AttemptFolder& folder, const TrialRank& rank) {
  Environment env = own_environment();
  add_devices(env, launch);
  add_defaults(env, launch, rank);
  add_path(env);
  for (const auto& [name, value] : launch.env) env[name] = value;
  add_protocol(env, launch, folder);
  if (launch.per_gpu) add_rank(env, rank);
  std::vector<std::string> entries;
  for (const auto& [name, value] : env) entries.push_back(name + '=' + value);
  return entries;
}

std::vector<std::string> setup_command(const std::string& setup, const std::string& then, const std::vector<std::string>& args) {
  std::error_code ignored;
  const std::string line = setup + "\ncase $? in 0) ;; *) exit $?;; esac\n" + then;
  const std::string shell = fs::exists("/bin/bash", ignored) ? "/bin/bash" : "/bin/sh";
  std::vector<std::string> argv{shell, "-lc", line, "hpsearch"};
  argv.insert(argv.end(), args.begin(), args.end());
  return argv;
}

pid_t start_trial(const Launch& launch, const AttemptFolder& folder, int output, int errors, const TrialRank& rank) {
  if (launch.argv.empty()) throw LaunchFault("the command is empty");
  const std::vector<std::string> argv = whole_command(launch);
  const std::string& name = argv.front();
  std::error_code ignored;
  if (!fs::is_directory(launch.cwd, ignored)) throw LaunchFault("no such working folder: " + launch.cwd);
  const auto program = find_program(name, launch.folder);
  if (!program) throw LaunchFault("command not found: " + name);
  const FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  SpawnRequest request{*program,  argv, trial_environment(launch, folder, rank),
                       launch.cwd, {{0, nothing.get()}, {1, output}, {2, errors}}, Lead::group};
  for (int i = 0; i < launch.locks; ++i) request.descriptors.emplace_back(kFirstLock + i, kFirstLock + i);
  try {
    return spawn(request);
  } catch (const std::system_error& error) {
    explain(error, name);
  }
}

}  // namespace hpsearch
