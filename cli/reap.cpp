#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <thread>

#include "cli/keepers.h"
#include "cli/study_folder.h"
#include "scheduler/hosts/process_tree.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

constexpr std::chrono::milliseconds kLookEvery{50};
// A keeper gives its trial `trial.grace` before it kills; the default is 30 s.
constexpr std::chrono::seconds kPatience{120};

std::string label(const Keeper& keeper) {
  return "trial " + std::to_string(keeper.trial) + " of " + keeper.study.filename().string() + " (pid " +
         std::to_string(keeper.pid) + ")";
}

bool confirmed(const std::vector<Keeper>& found) {
  if (::isatty(STDIN_FILENO) != 1) throw UserError("reap asks first; without a terminal say --yes");
  for (const Keeper& keeper : found) std::cerr << label(keeper) << (keeper.scheduler == Keeper::Scheduler::none ? " has no scheduler\n" : " belongs to a study of another machine\n");
  std::cerr << "End " << (found.size() == 1 ? "it" : "them") << "? What a trial has not saved is lost; hpsearch resume would take it up. [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

int end_all(std::vector<Keeper> found) {
  for (const Keeper& keeper : found)
    if (still_there(keeper)) ::kill(keeper.pid, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!found.empty() && std::chrono::steady_clock::now() < deadline) {
    std::erase_if(found, [](const Keeper& keeper) {
      const bool gone = !still_there(keeper);
      if (gone) std::cout << "ended " << label(keeper) << std::endl;
      return gone;
    });
    if (!found.empty()) std::this_thread::sleep_for(kLookEvery);
  }
  for (const Keeper& keeper : found) {
    if (!still_there(keeper)) continue;
    const std::vector<pid_t> tree = descendants(keeper.pid);
    ::kill(keeper.pid, SIGKILL);
    signal_all(tree, SIGKILL);
    std::cout << "killed " << label(keeper) << ", which did not end by itself" << std::endl;
  }
  return 0;
}

struct ReapOptions {
  std::string study;
  bool all = false, yes = false;
};

// Of the study of this name that another machine has trials of here, or had.
std::vector<Keeper> of_guest(const std::string& study) {
  std::vector<Keeper> found = keepers();
  std::erase_if(found, [&](const Keeper& keeper) { return keeper.scheduler != Keeper::Scheduler::elsewhere || keeper.study.filename() != study; });
  return found;
}

// One study, those of the studies folder, or every one on this machine. Trials of studies of other machines only where they
// are named: somebody may be waiting for them.
std::vector<Keeper> chosen(const CommonOptions& common, const ReapOptions& options) {
  if (const auto guests = of_guest(options.study); !guests.empty()) return guests;
  std::vector<Keeper> found = keepers(options.study.empty() ? std::filesystem::path() : study_folder(common, options.study));
  std::erase_if(found, [](const Keeper& keeper) { return keeper.scheduler != Keeper::Scheduler::none; });
  std::error_code ignored;
  const auto folder = std::filesystem::weakly_canonical(studies_folder(common), ignored);
  if (!options.all && options.study.empty()) std::erase_if(found, [&](const Keeper& keeper) { return keeper.study.parent_path() != folder; });
  return found;
}

int reap(const CommonOptions& common, const ReapOptions& options) {
  const std::vector<Keeper> found = chosen(common, options);
  if (found.empty()) {
    std::cerr << "nothing to end: no trial runs here without a scheduler"
              << (options.all || !options.study.empty() ? "" : " (--all looks beyond this studies folder)") << "\n";
    return 0;
  }
  return options.yes || confirmed(found) ? end_all(found) : 0;
}

}  // namespace

void add_reap(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("reap", "End running trials whose study has no scheduler");
  auto options = std::make_shared<ReapOptions>();
  auto* study = verb->add_option("STUDY", options->study, "Only of this study (default: all of the studies folder)");
  verb->add_flag("--all", options->all, "All of yours on this machine")->excludes(study);
  verb->add_flag("--yes", options->yes, "Do not ask");
  verb->callback([=, &common, &action] { action = [=, &common] { return reap(common, *options); }; });
}

}  // namespace hpsearch
