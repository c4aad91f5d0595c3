#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <thread>

#include "cli/keepers.h"
#include "cli/study_folder.h"
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

std::vector<Keeper> abandoned(const std::filesystem::path& folder) {
  std::vector<Keeper> found = keepers(folder);
  std::erase_if(found, [](const Keeper& keeper) { return keeper.scheduled; });
  return found;
}

bool confirmed(const std::vector<Keeper>& found) {
  if (::isatty(STDIN_FILENO) != 1) throw UserError("reap asks first; without a terminal say --yes");
  for (const Keeper& keeper : found) std::cerr << label(keeper) << " has no scheduler\n";
  std::cerr << "End " << (found.size() == 1 ? "it" : "them") << "? What a trial has not saved is lost; hpsearch resume would take it up. [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

// Returns the exit status: 1 when one does not go.
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
  for (const Keeper& keeper : found) std::cerr << "hpsearch: " << label(keeper) << " has not ended\n";
  return found.empty() ? 0 : 1;
}

int reap(const std::filesystem::path& folder, bool yes) {
  const std::vector<Keeper> found = abandoned(folder);
  if (found.empty()) {
    std::cerr << "nothing to end: every trial of yours that runs here has a scheduler\n";
    return 0;
  }
  return yes || confirmed(found) ? end_all(found) : 0;
}

}  // namespace

void add_reap(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("reap", "End trials of yours on this machine whose study has no scheduler");
  auto yes = std::make_shared<bool>(false);
  auto study = std::make_shared<std::string>();
  verb->add_option("STUDY", *study, "Only of this study (default: all)");
  verb->add_flag("--yes", *yes, "Do not ask");
  verb->callback([=, &common, &action] {
    action = [=, &common] { return reap(study->empty() ? std::filesystem::path() : study_folder(common, *study), *yes); };
  });
}

}  // namespace hpsearch
