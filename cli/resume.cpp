#include "cli/continue_study.h"

namespace hpsearch {

void add_resume(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("resume", "Go on with a study: adopt what still runs, restart only what vanished");
  auto options = std::make_shared<ContinueOptions>();
  verb->add_option("STUDY", options->study, "Name, or a space file whose changes are applied (default: the only study here)");
  auto* trials = verb->add_option("--trials", options->trials, "New limit of trials, in all")->check(kAtLeastOne);
  verb->add_option("--more-trials", options->more_trials, "So many beyond those there are")
      ->check(kAtLeastOne)
      ->excludes(trials);
  verb->add_option("--time", options->time, "New limit of running time, in all: 90s, 30m, 2h");
  verb->add_option("--hosts", options->hosts, "A file with the list of hosts");
  verb->add_flag("--detach", options->detach, "Run in the background");
  verb->callback([=, &common, &action] { action = [=, &common] { return continue_study(common, *options); }; });
}

}  // namespace hpsearch
