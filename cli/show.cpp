#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/repeat_command.h"
#include "cli/study_folder.h"
#include "dashboard/trial_details.h"
#include "dashboard/value_text.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

struct ShowOptions {
  std::shared_ptr<ReadOptions> read;
  int trial = 0;
  bool params = false, command = false;
};

std::vector<RungVisit> visits_of(const RungVisits& visits, int trial) {
  std::vector<RungVisit> result;
  for (const RungVisit& visit : visits.all())
    if (visit.trial == trial) result.push_back(visit);
  return result;
}

std::string details(const fs::path& folder, const ShowOptions& options) {
  TrialLog log(options.trial);
  RungVisits visits;
  const Study study = read_study(folder, [&](const Study& before, const Event& event) {
    log.apply(before, event);
    visits.apply(before, event);
  });
  const Trial& trial = find_trial(study, options.trial);
  TrialDetails found{study, trial, log, visits_of(visits, trial.number), trial_folder(folder, trial.number).string(), {}};
  for (const Attempt& attempt : trial.attempts)
    found.attempt_folders.push_back(attempt_folder(folder, trial.number, attempt.number).root.string());
  return options.read->json ? json_text(details_json(found)) : details_text(found);
}

int show(const CommonOptions& common, const ShowOptions& options) {
  const fs::path folder = study_folder(common, options.read->study);
  if (!options.params && !options.command) {
    print(details(folder, options));
    return 0;
  }
  const Study study = read_study(folder);
  const Trial& trial = find_trial(study, options.trial);
  print(options.params ? json_text(trial.suggestion.params) : repeat_command(study, trial, folder) + "\n");
  return 0;
}

}  // namespace

void add_show(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("show", "Everything about one trial: parameters, attempts, rungs, reports, folders");
  auto options = std::make_shared<ShowOptions>();
  verb->add_option("TRIAL", options->trial, "Its number")->required();
  options->read = add_read_options(*verb);
  auto* params = verb->add_flag("--params", options->params, "Only the parameters, as plain JSON");
  verb->add_flag("--command", options->command, "A shell line that repeats the trial exactly")->excludes(params);
  verb->callback([=, &common, &action] { action = [=, &common] { return show(common, *options); }; });
}

}  // namespace hpsearch
