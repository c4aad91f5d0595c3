#include <iostream>

#include "cli/check_space.h"
#include "cli/continue_study.h"
#include "cli/session.h"
#include "cli/study_folder.h"
#include "store/study_lock.h"
#include "store/study_summary.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

struct RunOptions {
  std::string space;
  bool resume = false, fresh = false, detach = false;
  std::string hosts;
};

// NAME, or with --new the first of NAME-2, NAME-3, ... that is free.
fs::path new_folder(const CommonOptions& common, const StudySpec& spec) {
  const fs::path folder = studies_folder(common) / spec.name;
  for (int i = 2;; ++i) {
    const fs::path next = studies_folder(common) / (spec.name + "-" + std::to_string(i));
    if (!fs::exists(next)) return fs::exists(folder) ? next : folder;
  }
}

// False also for a file whose creation was killed before the study's first event: create takes it over.
bool begun(const fs::path& database) {
  return fs::exists(database) && (study_holder(database) || read_summary(database).seq > 0);
}

// On a study that is there: shows a finished one; for any other the user must say what is meant.
int refuse_existing(const CommonOptions& common, const fs::path& folder, const RunOptions& options) {
  if (auto holder = study_holder(folder / "study.db"))
    throw UserError(held_message(folder / "study.db", holder));
  Study study;
  const auto store = SqliteStore::open_read_only(folder / "study.db");
  store->read([&](const Event& event) { study.apply(event); });
  const std::string name = folder.filename().string();
  if (!study.ended())
    throw UserError("study " + name + " exists and is not finished. Go on with it: hpsearch resume " + name +
                    "; go on with this file's limits: hpsearch run " + options.space +
                    " --resume; begin another one: hpsearch run " + options.space + " --new");
  if (!common.quiet)
    std::cerr << "study " << name << " is already finished (" << study.trials().size() << " trials; "
              << study.ended()->reason << "); to begin another one: hpsearch run " << options.space << " --new\n";
  const int status = study.any_value() ? 0 : 3;
  print_summary(common, study, folder, status);
  return status;
}

int run(const CommonOptions& common, const RunOptions& options) {
  const StudySpec spec = checked_space(options.space, options.hosts);
  fs::path folder = studies_folder(common) / spec.name;
  const bool exists = begun(folder / "study.db");
  if (exists && options.resume) {
    ContinueOptions go_on;
    go_on.study = options.space;
    go_on.hosts = options.hosts;
    go_on.detach = options.detach;
    return continue_study(common, go_on);
  }
  if (exists && !options.fresh) return refuse_existing(common, folder, options);
  if (options.fresh) folder = new_folder(common, spec);
  for (const std::string& warning : spec.warnings) std::cerr << "warning: " << warning << "\n";
  auto session = [&](const Ready& ready) { return run_session(*OpenStudy::create(folder, spec), common, ready); };
  return options.detach ? run_detached(folder, session) : session([] {});
}

}  // namespace

void add_run(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("run", "Begin a study and run it to its limits");
  auto options = std::make_shared<RunOptions>();
  verb->add_option("SPACE", options->space, "The space file")->required();
  auto* resume = verb->add_flag("--resume", options->resume, "Go on with the study if it exists");
  verb->add_flag("--new", options->fresh, "Begin another study if it exists (NAME-2, ...)")->excludes(resume);
  verb->add_flag("--detach", options->detach, "Run in the background");
  verb->add_option("--hosts", options->hosts, "A file with the list of hosts, instead of the space file's");
  verb->callback([=, &common, &action] { action = [=, &common] { return run(common, *options); }; });
}

}  // namespace hpsearch
