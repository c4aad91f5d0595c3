#include <iostream>

#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/fleet_executor.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

namespace {

int fetch(const CommonOptions& common, const std::string& name, int number) {
  const auto folder = study_folder(common, name);
  const Study study = read_study(folder);
  const Trial& trial = find_trial(study, number);
  FleetExecutor visitor(folder, self_program(), RemoteHost::Role::visitor);
  const std::string fault = visitor.fetch(study, trial);
  if (!fault.empty()) throw std::runtime_error("trial " + std::to_string(number) + " did not come home whole: " + fault);
  std::cout << trial_folder(folder, number).string() << "\n";
  return 0;
}

}  // namespace

void add_fetch(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("fetch", "Bring a trial's logs, artifacts and checkpoints here from the hosts it ran on");
  auto trial = std::make_shared<int>(0);
  auto study = std::make_shared<std::string>();
  verb->add_option("TRIAL", *trial, "Its number")->required()->check(kAtLeastOne);
  verb->add_option("STUDY", *study, "Name or space file (default: the only study here)");
  verb->callback([=, &common, &action] { action = [=, &common] { return fetch(common, *study, *trial); }; });
}

}  // namespace hpsearch
