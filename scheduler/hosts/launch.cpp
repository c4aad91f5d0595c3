#include "scheduler/hosts/launch.h"

namespace hpsearch {

namespace {

template <typename T>
void put(Json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}

void put(Json& json, const char* key, const std::optional<Span>& value) {
  if (value) json[key] = value->count();
}

template <typename T>
void get(const Json& json, const char* key, std::optional<T>& value) {
  if (json.contains(key)) value = json.at(key).get<T>();
}

void get(const Json& json, const char* key, std::optional<Span>& value) {
  if (json.contains(key)) value = Span(json.at(key).get<std::int64_t>());
}

Json collect_json(const std::vector<CollectRule>& rules) {
  Json json = Json::array();
  for (const CollectRule& rule : rules)
    json.push_back({{"stream", rule.stream}, {"pattern", rule.pattern}, {"as", rule.as}});
  return json;
}

std::vector<CollectRule> parse_collect(const Json& json) {
  std::vector<CollectRule> rules;
  for (const Json& rule : json)
    rules.push_back({rule.at("stream"), rule.at("pattern"), rule.at("as").get<std::vector<std::string>>()});
  return rules;
}

}  // namespace

Json launch_json(const Launch& launch) {
  Json json = {{"id", launch.id},           {"trial", launch.trial},   {"attempt", launch.attempt},
               {"seed", launch.seed},       {"argv", launch.argv},     {"folder", launch.folder},
               {"cwd", launch.cwd},         {"setup", launch.setup},   {"env", launch.env},       {"params", launch.params},
               {"devices", launch.devices}, {"threads", launch.threads}, {"metric", launch.metric}};
  if (!launch.visible_devices.empty()) json["visible_devices"] = launch.visible_devices;
  if (launch.by_index) json["by_index"] = true;
  if (launch.share != 1) json["share"] = launch.share;
  if (launch.locks > 0) json["locks"] = launch.locks;
  put(json, "milestone", launch.milestone);
  put(json, "resource", launch.resource);
  put(json, "resource_max", launch.resource_max);
  json["measured"] = launch.measured;
  json["spent_seconds"] = launch.spent_seconds;
  json["artifact_dir"] = launch.artifact_dir;
  json["resume_dir"] = launch.resume_dir;
  json["resume_checkpoint"] = launch.resume_checkpoint;
  put(json, "trial_time_ms", launch.trial_time);
  put(json, "silence_ms", launch.silence);
  json["grace_ms"] = launch.grace.count();
  json["verdict_wait_ms"] = launch.verdict_wait.count();
  json["on_no_answer"] = launch.on_no_answer == NoAnswer::pause ? "pause" : "go_on";
  json["collect"] = collect_json(launch.collect);
  json["socket"] = launch.socket;
  json["mailbox"] = launch.mailbox;
  put(json, "warning_ms", launch.warning);
  if (launch.per_gpu) json["per_gpu"] = true;
  if (launch.given) json["given"] = {launch.given->first, launch.given->count};
  return json;
}

Launch parse_launch(const std::string& text) {
  const Json json = Json::parse(text);
  Launch launch;
  json.at("id").get_to(launch.id);
  json.at("trial").get_to(launch.trial);
  json.at("attempt").get_to(launch.attempt);
  json.at("seed").get_to(launch.seed);
  json.at("argv").get_to(launch.argv);
  json.at("folder").get_to(launch.folder);
  json.at("cwd").get_to(launch.cwd);
  json.at("setup").get_to(launch.setup);
  json.at("env").get_to(launch.env);
  launch.params = json.at("params");
  json.at("devices").get_to(launch.devices);
  launch.visible_devices = json.value("visible_devices", "");
  launch.by_index = json.value("by_index", false);
  launch.share = json.value("share", 1.0);
  launch.locks = json.value("locks", 0);
  json.at("threads").get_to(launch.threads);
  json.at("metric").get_to(launch.metric);
  get(json, "milestone", launch.milestone);
  get(json, "resource", launch.resource);
  get(json, "resource_max", launch.resource_max);
  json.at("measured").get_to(launch.measured);
  json.at("spent_seconds").get_to(launch.spent_seconds);
  json.at("artifact_dir").get_to(launch.artifact_dir);
  json.at("resume_dir").get_to(launch.resume_dir);
  json.at("resume_checkpoint").get_to(launch.resume_checkpoint);
  get(json, "trial_time_ms", launch.trial_time);
  get(json, "silence_ms", launch.silence);
  launch.grace = Span(json.at("grace_ms").get<std::int64_t>());
  launch.verdict_wait = Span(json.at("verdict_wait_ms").get<std::int64_t>());
  launch.on_no_answer = json.at("on_no_answer") == "pause" ? NoAnswer::pause : NoAnswer::go_on;
  launch.collect = parse_collect(json.at("collect"));
  json.at("socket").get_to(launch.socket);
  launch.mailbox = json.value("mailbox", false);
  get(json, "warning_ms", launch.warning);
  launch.per_gpu = json.value("per_gpu", false);
  if (json.contains("given")) launch.given = {json["given"].at(0).get<int>(), json["given"].at(1).get<int>()};
  return launch;
}

}  // namespace hpsearch
