#include "scheduler/hosts/launch_plan.h"

#include <algorithm>

#include "scheduler/hosts/trial_folders.h"
#include "search/asha_options.h"
#include "trials/random.h"

namespace hpsearch {

namespace {

bool pauses_at_milestones(const StudySpec& spec) {
  return spec.resource && spec.search.pruner.type == "asha" && asha_options(spec).variant == AshaVariant::promote;
}

// The level that the attempt must be able to reach: its milestone where it pauses there, else the end.
std::optional<double> level(const StudySpec& spec, const AttemptPlanned& plan) {
  if (!spec.resource) return std::nullopt;
  return pauses_at_milestones(spec) && plan.milestone ? plan.milestone : spec.resource->max;
}

// Whole numbers as integers: "{epoch}" is 27, not 27.0.
Json number_json(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json variables(const StudySpec& spec, const Launch& launch, const AttemptFolder& folder, const HostPlace& place) {
  Json result = spec.settings;
  for (const auto& [name, value] : place.vars.items()) result[name] = value;
  result["seed"] = launch.seed;
  result["trial"] = launch.trial;
  result["params_file"] = folder.params().string();
  if (spec.resource) {
    result[spec.resource->name] = number_json(*launch.resource);
    result[spec.resource->name + ".max"] = number_json(spec.resource->max);
  }
  return result;
}

void set_command(Launch& launch, const StudySpec& spec, const AttemptFolder& folder, const HostPlace& place) {
  launch.argv = render_command(spec.command, {launch.params, variables(spec, launch, folder, place)});
  launch.folder = place.folder;
  launch.cwd = spec.trial.cwd == WorkFolder::trial ? launch.artifact_dir : launch.folder;
  launch.env = spec.trial.env;
  for (const auto& [name, value] : place.env) launch.env[name] = value;
  launch.setup = place.setup;
}

void set_resource(Launch& launch, const Study& study, const AttemptPlanned& plan) {
  const StudySpec& spec = study.spec();
  launch.metric = spec.metric().name;
  launch.milestone = plan.milestone;
  launch.resource = level(spec, plan);
  launch.on_no_answer = pauses_at_milestones(spec) ? NoAnswer::pause : NoAnswer::go_on;
  if (!spec.resource) return;
  launch.resource_max = spec.resource->max;
  launch.measured = spec.resource->measured();
  launch.spent_seconds = launch.measured ? study.trial(plan.trial).resource : 0;
}

void set_limits(Launch& launch, const StudySpec& spec) {
  launch.trial_time = spec.limits.trial_time;
  launch.silence = spec.limits.silence;
  launch.grace = spec.trial.grace;
  launch.verdict_wait = spec.trial.verdict_wait;
  launch.collect = spec.collect;
}

}  // namespace

std::optional<std::string> fixed_program(const StudySpec& spec, const Json& vars) {
  const CommandElement& first = spec.command.elements.front();
  if (first.args.empty() || !first.when.empty()) return std::nullopt;
  Json settings = spec.settings;
  for (const auto& [name, value] : vars.items()) settings[name] = value;
  for (const std::string& name : template_names(first.args.front()))
    if (!settings.contains(name)) return std::nullopt;
  Command program = spec.command;
  program.elements = {first};
  const auto argv = render_command(program, {Json::object(), settings});
  return argv.empty() ? std::nullopt : std::optional(argv.front());
}

std::uint64_t trial_seed(const Study& study, int trial) {
  return RandomStream(study.seed(), "trial seed", trial)() & 0x7fffffff;
}

HostPlace local_place(const StudySpec& spec, const HostSpec& host, const std::filesystem::path& study_folder) {
  return {study_folder, spec.folder, host.setup, host.env, host.vars};
}

Launch launch_of(const Study& study, const AttemptPlanned& plan, const HostPlace& place) {
  const AttemptFolder folder = attempt_folder(place.study, plan.trial, plan.attempt);
  Launch launch;
  launch.id = plan.id;
  launch.trial = plan.trial;
  launch.attempt = plan.attempt;
  launch.seed = trial_seed(study, plan.trial);
  launch.params = study.trial(plan.trial).suggestion.params;
  launch.devices = plan.slot.devices;
  launch.share = plan.slot.share;
  launch.by_index = study.spec().trial.device_env == DeviceNames::index;
  launch.per_gpu = study.spec().trial.launch == LaunchRule::per_gpu;
  launch.threads = std::max(1, static_cast<int>(study.spec().trial.cpus.value_or(1)));
  launch.artifact_dir = artifact_folder(place.study, plan.trial);
  if (plan.resume_attempt > 0)
    launch.resume_dir = attempt_folder(place.study, plan.trial, plan.resume_attempt).checkpoint();
  launch.resume_checkpoint = plan.resume_checkpoint;
  set_resource(launch, study, plan);
  set_limits(launch, study.spec());
  set_command(launch, study.spec(), folder, place);
  return launch;
}

}  // namespace hpsearch
