#include <algorithm>
#include <cctype>
#include <cmath>

#include "trials/number.h"
#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

constexpr double kMostDevices = 100'000;

void read_gpus(const Field& field, TrialSpec& trial) {
  const Json& value = field.value();
  if (value == "auto") return;
  const double gpus = value.is_number() ? value.get<double>() : -1;
  const bool whole = gpus == std::trunc(gpus);
  if (gpus >= 0 && gpus <= kMostDevices && (whole || gpus < 1)) trial.gpus = gpus;
  else field.expected("\"auto\", a whole number of GPUs or a part of one such as 0.5");
}

void read_cpus(const Field& field, TrialSpec& trial) {
  const auto cpus = field.positive();
  if (cpus && *cpus > kMostDevices) field.expected("a number of CPUs");
  else trial.cpus = cpus;
}

bool variable_name(const std::string& name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(), plain);
}

// What a host must have for a trial.
void read_needs(const Fields& fields, TrialSpec& trial) {
  const auto gpus = fields.find("gpus"), cpus = fields.find("cpus"), memory = fields.find("memory");
  const auto gpu_memory = fields.find("gpu_memory"), model = fields.find("gpu_model"), labels = fields.find("labels");
  if (gpus) read_gpus(*gpus, trial);
  if (cpus) read_cpus(*cpus, trial);
  if (memory) trial.memory = read_bytes(*memory);
  if (gpu_memory) trial.gpu_memory = read_bytes(*gpu_memory);
  if (model) trial.gpu_model = model->name().value_or("");
  if (labels) trial.labels = read_labels(*labels);
}

void read_retry_on(const Field& field, TrialSpec& trial) {
  for (const Field& item : field.items("a list of exit statuses, as [3, 4]")) {
    if (const auto status = item.integer(1, 255)) trial.retry_on.push_back(static_cast<int>(*status));
  }
}

void read_counts(const Fields& fields, TrialSpec& trial) {
  const auto retries = fields.find("retries"), keep = fields.find("keep_checkpoints");
  if (retries) trial.retries = static_cast<int>(retries->integer(0, 1'000'000).value_or(trial.retries));
  if (keep) trial.keep_checkpoints = static_cast<int>(keep->integer(1, 1'000'000).value_or(trial.keep_checkpoints));
}

void read_spans(const Fields& fields, TrialSpec& trial) {
  const auto grace = fields.find("grace"), wait = fields.find("verdict_wait");
  if (grace) trial.grace = grace->span().value_or(trial.grace);
  if (wait) trial.verdict_wait = wait->span().value_or(trial.verdict_wait);
}

void read_words(const Fields& fields, TrialSpec& trial) {
  const auto cwd = fields.find("cwd"), value = fields.find("value");
  if (cwd && cwd->word({"space_file", "trial"}) == "trial") trial.cwd = WorkFolder::trial;
  if (value && value->word({"last", "best"}) == "best") trial.value = ValueRule::best;
  const auto names = fields.find("device_env"), launch = fields.find("launch");
  if (names && names->word({"uuid", "index"}) == "index") trial.device_env = DeviceNames::index;
  if (launch && launch->word({"once", "per_gpu"}) == "per_gpu") trial.launch = LaunchRule::per_gpu;
  if (trial.launch == LaunchRule::per_gpu && trial.gpus && *trial.gpus < 1)
    launch->fault("\"per_gpu\" starts a process for each whole GPU, and \"gpus\" is " + format_number(*trial.gpus));
}

}  // namespace

std::map<std::string, std::string> read_env(const Field& field) {
  std::map<std::string, std::string> env;
  for (const Field& member : field.members("an object of texts, as {\"OMP_NUM_THREADS\": \"1\"}")) {
    if (!variable_name(member.key())) member.fault("is not the name of an environment variable");
    if (member.key().starts_with("HPSEARCH_")) member.fault("HPSEARCH_ variables are set by hpsearch");
    if (const auto text = member.text()) env[member.key()] = *text;
  }
  return env;
}

std::vector<std::string> read_labels(const Field& field) {
  std::vector<std::string> labels;
  for (const Field& item : field.items("a list of names, as [\"big\", \"fast-disk\"]"))
    if (const auto label = item.name()) labels.push_back(*label);
  return labels;
}

TrialSpec read_trial(const Fields& root) {
  TrialSpec trial;
  const auto field = root.find("trial");
  if (!field) return trial;
  const Fields fields(*field, "trial");
  read_needs(fields, trial);
  if (const auto checkpoint = fields.find("checkpoint")) trial.checkpoint = checkpoint->truth().value_or(false);
  if (const auto env = fields.find("env")) trial.env = read_env(*env);
  if (const auto retry_on = fields.find("retry_on")) read_retry_on(*retry_on, trial);
  read_counts(fields, trial);
  read_spans(fields, trial);
  read_words(fields, trial);
  return trial;
}

}  // namespace hpsearch
