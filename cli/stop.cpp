#include <iostream>

#include "cli/change_study.h"
#include "cli/study_folder.h"
#include "scheduler/hosts/control.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

struct StopOptions {
  std::string study;
  int trial = 0;
  bool now = false;
};

int stop(const CommonOptions& common, const StopOptions& options) {
  if (options.trial > 0) {
    const std::string follows = change_study(common, options.study, StopRequested{options.trial, options.now});
    std::cerr << "trial " << options.trial << ": stop asked for" << follows << "\n";
    return 0;
  }
  if (!ask_scheduler(study_folder(common, options.study), StopRequested{std::nullopt, options.now}))
    throw UserError("no scheduler runs this study");
  std::cerr << (options.now ? "stopping: running trials are ended\n"
                            : "stopping: nothing more starts; running trials pause at their next report or run to their end "
                              "(--now ends them)\n");
  return 0;
}

}  // namespace

void add_stop(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("stop", "Stop a running study, or one of its trials; resume goes on with the study");
  auto options = std::make_shared<StopOptions>();
  verb->add_option("STUDY", options->study, "Name or space file (default: the only study here)");
  verb->add_option("--trial", options->trial, "Only this trial, for good")->check(kAtLeastOne);
  verb->add_flag("--now", options->now, "Do not wait for the next report");
  verb->callback([=, &common, &action] { action = [=, &common] { return stop(common, *options); }; });
}

}  // namespace hpsearch
