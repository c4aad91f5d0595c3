#include "scheduler/hosts/slurm_text.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace hpsearch {

namespace {

constexpr Span kLongestSignalTime{65'535'000};
constexpr std::int64_t kMebibyte = 1 << 20;

std::vector<std::string_view> split(std::string_view text, char separator, std::size_t most = std::string_view::npos) {
  std::vector<std::string_view> parts;
  for (std::size_t end; parts.size() + 1 < most && (end = text.find(separator)) != std::string_view::npos;) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// sbatch would replace "%j" and the like.
std::string file_pattern(const std::filesystem::path& file) {
  std::string pattern;
  for (const char c : file.string()) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern;
}

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

long whole_up(double number) { return std::lround(std::ceil(number)); }

void add(std::vector<std::string>& command, const char* option, const std::string& value) {
  if (!value.empty()) command.push_back(option + value);
}

// What a job needs of the cluster, and what the user adds: the last word of an option is the one that holds.
std::vector<std::string> resources(const HostSpec& host, const TrialSpec& needs, int slots) {
  const SlurmSpec& slurm = host.slurm;
  std::vector<std::string> words{"--nodes=1", "--ntasks=1"};
  if (needs.cpus || slots > 1) add(words, "--cpus-per-task=", std::to_string(whole_up(needs.cpus.value_or(1) * slots)));
  if (needs.memory) add(words, "--mem=", std::to_string(whole_up(static_cast<double>(*needs.memory * slots) / kMebibyte)) + "M");
  if (needs.gpus.value_or(0) > 0) add(words, "--gres=gpu:", std::to_string(whole_up(*needs.gpus * slots)));
  add(words, "--partition=", slurm.partition);
  add(words, "--account=", slurm.account);
  add(words, "--qos=", slurm.qos);
  add(words, "--time=", slurm.time);
  if (const auto warning = job_warning(slurm)) add(words, "--signal=B:USR1@", std::to_string(warning->count() / 1000));
  words.insert(words.end(), slurm.sbatch.begin(), slurm.sbatch.end());
  return words;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string attempt_job_name(const std::string& attempt_id) { return "hpsearch-" + attempt_id; }

// Not a list of names for --export: with one, nodes ask a login shell for the rest, which takes seconds or fails.
bool inherited_by_jobs(std::string_view entry) {
  static const std::set<std::string_view> names{
      "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV",
      "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "MODULEPATH", "MODULESHOME", "LOADEDMODULES", "_LMFILES_", "CUDA_HOME",
      "SLURM_CONF", "OMP_NUM_THREADS"};
  const std::string_view name = entry.substr(0, entry.find('='));
  return names.contains(name) || name.starts_with("LC_") || name.starts_with("SBATCH_");
}

std::vector<std::string> sbatch_command(const HostSpec& host, const TrialSpec& needs, const SlurmAsk& ask) {
  std::vector<std::string> command{"sbatch", "--parsable", "--job-name=" + ask.name, "--no-requeue",
                                   "--output=" + file_pattern(ask.log), "--open-mode=append", "--chdir=/",
                                   "--export=ALL"};
  for (std::string& word : resources(host, needs, ask.slots)) command.push_back(std::move(word));
  return command;
}

std::vector<std::string> sbatch_test_command(const HostSpec& host, const TrialSpec& needs) {
  std::vector<std::string> command{"sbatch", "--test-only"};
  const int slots = host.slurm.pilot ? host.slots.value_or(1) : 1;
  for (std::string& word : resources(host, needs, slots)) command.push_back(std::move(word));
  return command;
}

std::string job_script(const std::vector<std::string>& argv) {
  std::string script = "#!/bin/sh\nexec";
  for (const std::string& word : argv) script += ' ' + shell_quoted(word);
  return script + '\n';
}

std::vector<std::string> squeue_command() {
  return {"squeue", "--noheader", "--all", "--states=all", "--user=" + std::to_string(::geteuid()), "--format=%A|%j|%T|%r"};
}

std::vector<SlurmJob> parse_squeue(std::string_view text) {
  std::vector<SlurmJob> jobs;
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = split(line, '|', 4);
    if (parts.size() < 4 || !parts[1].starts_with("hpsearch-")) continue;
    jobs.push_back({std::string(parts[0]), std::string(parts[1]), std::string(parts[2]), std::string(parts[3])});
  }
  return jobs;
}

std::vector<std::string> ping_command() { return {"scontrol", "ping"}; }

bool controller_up(std::string_view ping) {
  for (const std::string_view line : split(ping, '\n'))
    if (line.find(" is UP") != std::string_view::npos) return true;
  return false;
}

std::vector<std::string> sacct_command(const std::string& name) {
  return {"sacct", "--noheader", "--parsable2", "--allocations", "--format=State", "--starttime=now-30days", "--name=" + name};
}

std::string parse_sacct(std::string_view text) {
  std::string last;
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty()) last = line.substr(0, line.find(' '));  // "CANCELLED by 1000"
  return last;
}

bool job_ended(const std::string& state) {
  static const std::set<std::string> ended{"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL",
                                           "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT"};
  return ended.contains(state);
}

bool job_held(const SlurmJob& job) {
  return job.state == "SPECIAL_EXIT" || (job_pending(job) && (job.reason == "launch failed requeued held" ||
                                                             job.reason.find("requeued held") != std::string::npos));
}

bool job_pending(const SlurmJob& job) { return job.state == "PENDING" || job.state.starts_with("REQUEUE"); }

std::optional<std::string> settings_fault(std::string_view complaint) {
  static constexpr std::string_view kFaults[] = {
      "nvalid partition", "nvalid account", "nvalid qos", "nvalid generic resource", "nvalid gres", "nvalid feature",
      "nvalid constraint", "nvalid wckey", "nvalid reservation", "nvalid --", "nvalid time limit", "time limit specification",
      "nvalid license", "nrecognized option", "nvalid option", "time limit is invalid", "nvalid node name", "nvalid cluster",
      "nvalid memory", "nvalid user id", "ccess/permission denied", "not permitted to use this partition",
      "requires an argument", "ould not establish a configuration source", "command not found"};
  for (const std::string_view line : split(complaint, '\n'))
    for (const std::string_view words : kFaults)
      if (line.find(words) != std::string_view::npos) return complaint_of(line);
  return std::nullopt;
}

bool no_such_node(std::string_view complaint) { return complaint.find("onfiguration is not available") != std::string_view::npos; }

std::string complaint_of(std::string_view errors) {
  std::string last;
  for (std::string_view line : split(errors, '\n')) {
    for (const std::string_view prefix : {"sbatch: ", "squeue: ", "scontrol: ", "srun: ", "error: ", "fatal: ", "allocation failure: "})
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    if (!line.empty() && line.find("Batch job submission failed") == std::string_view::npos) last = line.substr(0, 300);
    else if (!line.empty() && last.empty()) last = line.substr(0, 300);
  }
  return last;
}

std::optional<Span> slurm_time(const std::string& text) {
  const std::size_t dash = text.find('-');
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : split(std::string_view(text).substr(dash == std::string::npos ? 0 : dash + 1), ':')) {
    const auto number = whole_number(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() > 3) return std::nullopt;
  // With days the first is hours; without them it is minutes, unless there are three.
  std::int64_t unit = dash != std::string::npos || numbers.size() == 3 ? 3600 : 60, seconds = 0;
  for (const std::int64_t number : numbers) seconds += number * unit, unit /= 60;
  if (dash != std::string::npos) {
    const auto days = whole_number(std::string_view(text).substr(0, dash));
    if (!days) return std::nullopt;
    seconds += *days * 86'400;
  }
  return Span(seconds * 1000);
}

std::optional<Span> job_warning(const SlurmSpec& slurm) {
  const auto limit = slurm_time(slurm.time);
  if (slurm.time.empty() || !limit || *limit <= Span(0)) return std::nullopt;
  return std::min({slurm.warn, *limit / 2, kLongestSignalTime});
}

}  // namespace hpsearch
