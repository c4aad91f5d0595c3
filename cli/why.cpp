#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "dashboard/trial_story.h"
#include "dashboard/value_text.h"

namespace hpsearch {

namespace {

int why(const CommonOptions& common, const ReadOptions& options, int number) {
  TrialLog log(number);
  const Study study =
      read_study(study_folder(common, options.study), [&](const Study& before, const Event& event) { log.apply(before, event); });
  const Trial& trial = find_trial(study, number);
  const std::vector<StoryLine> story = trial_story(log);
  print(options.json ? json_text(story_json(trial, story)) : story_text(trial, story));
  return 0;
}

}  // namespace

void add_why(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("why", "Why a trial was suggested, went on, paused, stopped or failed, from the log");
  auto trial = std::make_shared<int>(0);
  verb->add_option("TRIAL", *trial, "Its number")->required();
  auto options = add_read_options(*verb);
  verb->callback([=, &common, &action] { action = [=, &common] { return why(common, *options, *trial); }; });
}

}  // namespace hpsearch
