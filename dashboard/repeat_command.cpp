#include "dashboard/repeat_command.h"

#include "trials/number.h"

namespace hpsearch {

namespace {

// The level to run to: R for a completed trial, what it reached for others.
double level_of(const Study& study, const Trial& trial) {
  const double top = study.spec().resource->max;
  return trial.state == TrialState::completed || trial.resource <= 0 ? top : trial.resource;
}

// Whole numbers are written without a point.
Json level_json(double level) {
  const auto whole = static_cast<std::int64_t>(level);
  return static_cast<double>(whole) == level ? Json(whole) : Json(level);
}

}  // namespace

Repeat repeat_of(const Study& study, const Trial& trial, std::uint64_t seed, const std::string& params_file) {
  const StudySpec& spec = study.spec();
  CommandContext context{trial.suggestion.params, spec.settings};
  context.variables["seed"] = seed;
  context.variables["trial"] = trial.number;
  context.variables["params_file"] = params_file;
  Repeat repeat;
  repeat.env = spec.trial.env;
  repeat.env["HPSEARCH_SEED"] = std::to_string(seed);
  repeat.env["HPSEARCH_TRIAL"] = std::to_string(trial.number);
  repeat.env["HPSEARCH_PARAMS"] = params_file;
  if (spec.resource) {
    const double level = level_of(study, trial);
    context.variables[spec.resource->name] = level_json(level);
    context.variables[spec.resource->name + ".max"] = level_json(spec.resource->max);
    repeat.env["HPSEARCH_RESOURCE"] = format_number(level);
    repeat.env["HPSEARCH_RESOURCE_MAX"] = format_number(spec.resource->max);
  }
  repeat.argv = render_command(spec.command, context);
  return repeat;
}

}  // namespace hpsearch
