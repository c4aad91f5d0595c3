#include "trials/spec_keys.h"

#include <algorithm>

#include "trials/spec_peer_words.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

struct Section {
  std::vector<std::string> keys;
  const Words* words;
};

const std::map<std::string, Section>& sections() {
  static const std::map<std::string, Section> all{
      {"space_file",
       {{"$schema", "study", "command", "arg_style", "settings", "metric", "metrics", "params", "constraints",
         "resource", "search", "limits", "trial", "hosts", "files", "collect", "enqueue"},
        &kFileWords}},
      {"command_element", {{"when", "args"}, &kElementWords}},
      {"metric", {{"name", "goal", "at_most", "at_least", "smooth"}, &kMetricWords}},
      {"param_float", {{"type", "low", "high", "step", "log", "when", "was"}, &kParamWords}},
      {"param_int", {{"type", "low", "high", "step", "log", "when", "was"}, &kParamWords}},
      {"param_choice", {{"type", "choices", "ordered", "when", "was"}, &kParamWords}},
      {"condition", {{"in", "at_least", "at_most"}, &kWhenWords}},
      {"resource", {{"name", "min", "max"}, &kResourceWords}},
      {"search", {{"sampler", "pruner", "seed"}, &kSearchWords}},
      {"sampler_auto", {{"type"}, &kAlgorithmWords}},
      {"sampler_random", {{"type"}, &kAlgorithmWords}},
      {"sampler_grid", {{"type", "points"}, &kAlgorithmWords}},
      {"pruner_none", {{"type"}, &kAlgorithmWords}},
      {"pruner_asha",
       {{"type", "eta", "variant", "min", "levels", "n_min", "brackets", "promote_rounding", "milestone"},
        &kAlgorithmWords}},
      {"limits",
       {{"trials", "time", "trial_time", "silence", "gpu_hours", "cost", "disk", "failures_in_a_row"}, &kLimitsWords}},
      {"trial",
       {{"gpus", "cpus", "memory", "gpu_memory", "gpu_model", "labels", "device_env", "launch", "checkpoint", "retries",
         "retry_on", "keep_checkpoints", "grace", "verdict_wait", "env", "cwd", "value"},
        &kTrialWords}},
      {"host",
       {{"local", "ssh", "slurm", "command", "name", "slots", "gpus", "max_gpus", "dir", "setup", "env", "vars",
         "labels", "program", "ssh_options", "elastic", "price_per_hour", "lost_after"},
        &kHostWords}},
      {"slurm", {{"partition", "account", "qos", "time", "max_jobs", "mode", "warn", "sbatch"}, &kSlurmWords}},
      {"elastic", {{"launch", "release", "max", "idle", "price_per_hour"}, &kElasticWords}},
      {"files", {{"patterns", "limit"}, &kFilesWords}},
      {"collect", {{"stdout", "stderr", "as"}, &kCollectWords}}};
  return all;
}

// Keys of the types of parameters.
bool param_key(const std::string& key) {
  return key == "choices" || key == "ordered" || key == "low" || key == "high" || key == "step" || key == "log";
}

// A key of the section or a place elsewhere; empty when nothing is near.
std::string meant_by(const std::string& key, const Section& section) {
  const auto peer = section.words->find(key);
  if (peer != section.words->end()) return peer->second;
  if (section.words == &kParamWords && param_key(key)) return key;
  return nearest_word(key, section.keys).value_or("");
}

}  // namespace

const std::map<std::string, std::vector<std::string>>& known_keys() {
  static const auto keys = [] {
    std::map<std::string, std::vector<std::string>> all;
    for (const auto& [name, section] : sections()) all[name] = section.keys;
    return all;
  }();
  return keys;
}

KeyAdvice key_advice(const std::string& section, const std::string& key) {
  const std::vector<std::string>& keys = sections().at(section).keys;
  const std::string meant = meant_by(key, sections().at(section));
  if (meant.empty()) return {"", false, "known here: " + joined(keys)};
  const bool same_section = std::find(keys.begin(), keys.end(), meant) != keys.end();
  const bool elsewhere = !same_section && section.starts_with("param_") && meant.find('.') == std::string::npos;
  if (elsewhere) return {"", false, "\"" + meant + "\" does not go with this type; known here: " + joined(keys)};
  return {meant, same_section, "did you mean \"" + meant + "\"?"};
}

}  // namespace hpsearch
