#include <iostream>

#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/repeat_command.h"
#include "cli/study_folder.h"
#include "dashboard/best_view.h"
#include "dashboard/study_argument.h"
#include "dashboard/value_text.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

struct BestOptions {
  std::shared_ptr<ReadOptions> read;
  int top = 1;
  bool params = false, command = false;
};

std::string params_of(const Study& study, const std::vector<int>& trials) {
  if (trials.size() == 1) return json_text(study.trial(trials.front()).suggestion.params);
  Json all = Json::array();
  for (int number : trials) all.push_back(study.trial(number).suggestion.params);
  return json_text(all);
}

std::string commands_of(const Study& study, const std::vector<int>& trials, const fs::path& folder) {
  std::string text;
  for (int number : trials) text += repeat_command(study, study.trial(number), folder) + "\n";
  return text;
}

std::string for_people(const Study& study, const std::vector<int>& trials) {
  const std::string note = better_unfinished_note(study);
  const std::string text = trials.size() == 1 ? best_text(study, trials.front()) : ranking_table(study, trials);
  return text + (note.empty() ? "" : "note: " + note + "\n");
}

std::string answer(const Study& study, const std::vector<int>& trials, const BestOptions& options, const fs::path& folder) {
  if (options.params) return params_of(study, trials);
  if (options.command) return commands_of(study, trials, folder);
  return options.read->json ? json_text(ranking_json(study, trials)) : for_people(study, trials);
}

int best(const CommonOptions& common, const BestOptions& options) {
  const fs::path folder = study_folder(common, options.read->study);
  const Study study = read_study(folder);
  const std::vector<int> trials = ranking(study, static_cast<std::size_t>(options.top));
  if (trials.empty()) {
    std::cerr << "hpsearch: study " << study.name() << " has no best trial: none of its " << study.trials().size()
              << " trials has a finite value; see hpsearch trials " << study_argument(folder) << "\n";
    return 3;
  }
  print(answer(study, trials, options, folder));
  return 0;
}

}  // namespace

void add_best(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("best", "The best trial, or the best N");
  auto options = std::make_shared<BestOptions>();
  options->read = add_read_options(*verb);
  verb->add_option("--top", options->top, "How many")->check(kAtLeastOne);
  auto* params = verb->add_flag("--params", options->params, "Only the parameters, as plain JSON");
  verb->add_flag("--command", options->command, "A shell line that repeats the trial exactly")->excludes(params);
  verb->callback([=, &common, &action] { action = [=, &common] { return best(common, *options); }; });
}

}  // namespace hpsearch
