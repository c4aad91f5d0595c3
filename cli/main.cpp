#include <csignal>
#include <cstring>
#include <iostream>

#include "cli/verb.h"
#include "scheduler/hosts/agent.h"
#include "scheduler/hosts/keeper.h"
#include "scheduler/hosts/pilot.h"
#include "scheduler/hosts/report_verb.h"
#include "trials/suggestion.h"
#include "trials/user_error.h"

namespace {

using namespace hpsearch;

constexpr const char* kVersion = "hpsearch " HPSEARCH_VERSION;

void add_common(CLI::App& app, CommonOptions& common) {
  app.add_option("--dir", common.dir, "Folder that holds studies (default: hpsearch-studies here)")->envname("HPSEARCH_DIR");
  app.add_flag_callback("-q,--quiet", [&common] { common.very_quiet = common.quiet, common.quiet = true; },
                        "Warnings and the final result only; twice: nothing on success")
      ->trigger_on_parse();
  app.add_flag("-v,--verbose", common.verbose, "Each decision with its reason, as it is taken");
  app.add_flag("--no-color", common.no_color, "No colour (NO_COLOR does the same)");
  app.set_version_flag("--version", kVersion);
  app.fallthrough();
}

void add_verbs(CLI::App& app, const CommonOptions& common, Action& action) {
  for (auto add : {add_validate, add_try, add_run, add_resume, add_status, add_trials, add_show, add_logs, add_best, add_why,
                   add_stop, add_enqueue, add_exclude, add_export, add_replay, add_hosts, add_fetch, add_ps, add_reap, add_report, add_rescue})
    add(app, common, action);
  app.require_subcommand(1);
}

int act(const Action& action) try {
  return action();
} catch (const UserError& error) {
  std::cerr << "hpsearch: " << error.what() << "\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "hpsearch: " << error.what() << "\n";
  return 1;
}

// Help and version on standard output; a fault as every message of ours.
void tell(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);
    return;
  }
  const auto chosen = app.get_subcommands();
  const std::string verb = chosen.empty() ? "hpsearch" : "hpsearch " + chosen.front()->get_name();
  std::cerr << "hpsearch: " << error.what() << " (" << verb << " --help tells more)\n";
}

// A word that should have been a verb is named, with the verb that was probably meant.
void explain(CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> words = app.remaining();
  if (error.get_exit_code() == 0 || words.empty() || !app.get_subcommands().empty()) {
    tell(app, error);
    return;
  }
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  std::cerr << "hpsearch: no verb \"" << words.front() << "\"" << did_you_mean(words.front(), verbs)
            << " (hpsearch --help lists them)\n";
}

// Wrong words on the command line are exit 2, like every mistake of the user.
int parse_and_act(int argc, char** argv) {
  CLI::App app("Hyperparameter search: hpsearch run SPACE.json finds the best configuration for the compute there is");
  CommonOptions common;
  Action action;
  add_common(app, common);
  add_verbs(app, common, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    explain(app, error);
    return error.get_exit_code() == 0 ? 0 : 2;
  }
  return act(action);
}

bool asks_for_help(const char* word) { return std::strcmp(word, "--help") == 0 || std::strcmp(word, "-h") == 0; }

}  // namespace

int main(int argc, char** argv) {
  // What runs once for each trial or report starts without the command line's machinery.
  if (argc == 3 && std::strcmp(argv[1], "keeper") == 0) return keeper_main(argv[2]);
  if (argc == 3 && std::strcmp(argv[1], "agent") == 0 && std::strcmp(argv[2], "--stdio") == 0) return agent_main();
  if (argc == 4 && std::strcmp(argv[1], "agent") == 0 && std::strcmp(argv[2], "--connect") == 0) return connect_main(argv[3]);
  if (argc == 3 && std::strcmp(argv[1], "pilot") == 0) return pilot_main(argv[2]);
  if (argc >= 2 && std::strcmp(argv[1], "report") == 0 && !(argc == 3 && asks_for_help(argv[2])))
    return report_main({argv + 2, argv + argc});
  std::signal(SIGPIPE, SIG_IGN);  // A reader that goes away is an error code, never a death.
  return parse_and_act(argc, argv);
}
