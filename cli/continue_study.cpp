#include "cli/continue_study.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/check_space.h"
#include "cli/program_mark.h"
#include "cli/session.h"
#include "cli/study_folder.h"
#include "trials/spec_change.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

// The study's own spec, or that of the space file named, with the command line's limits.
StudySpec wanted_spec(const Study& study, const ContinueOptions& options) {
  std::error_code error;
  const bool file = fs::is_regular_file(options.study, error);
  StudySpec spec = file ? checked_space(options.study, options.hosts) : study.spec();
  Json document = spec.document;
  Json& limits = document["limits"];
  if (options.trials) limits["trials"] = *options.trials;
  if (options.more_trials) limits["trials"] = static_cast<std::int64_t>(study.trials().size()) + *options.more_trials;
  if (!options.time.empty()) limits["time"] = options.time;
  if (limits.is_null()) document.erase("limits");
  const StudySpec wanted = parse_spec_document(document, study.name(), spec.folder);
  return options.hosts.empty() ? wanted : with_hosts_file(wanted, options.hosts);
}

void print_difference(const CommonOptions& common, const SpecChange& change) {
  for (const Json& entry : change.difference)
    if (!common.quiet)
      std::cerr << "changed: " << entry["path"].get<std::string>() << ": " << entry["was"].dump() << " -> "
                << entry["is"].dump() << "\n";
  for (const std::string& warning : change.warnings) std::cerr << "warning: " << warning << "\n";
}

void apply_change(const CommonOptions& common, OpenStudy& opened, const StudySpec& spec, const SpecChange& change) {
  if (!change.refusals.empty()) {
    std::string text = "study " + opened.study.name() + " can't go on with this change:";
    for (const std::string& refusal : change.refusals) text += "\n  " + refusal;
    throw UserError(text);
  }
  if (change.empty()) return;
  print_difference(common, change);
  opened.change(spec, change.difference);
}

// Machines that could not be taken down are something to do.
bool all_done(const Study& study, const StudySpec& wanted) {
  const std::vector<FleetHost>& hosts = study.fleet().hosts();
  if (std::any_of(hosts.begin(), hosts.end(), [](const FleetHost& host) { return host.standing(); })) return false;
  const bool enough = wanted.limits.trials && *wanted.limits.trials <= static_cast<std::int64_t>(study.trials().size());
  return study.ended() && study.ended()->reason == kAllTrialsDone && enough && study.enqueued().empty();
}

int nothing_to_do(const CommonOptions& common, const Study& study, const StudySpec& wanted, const fs::path& folder) {
  if (!common.quiet)
    std::cerr << "study " << study.name() << ": already " << study.trials().size() << " of " << *wanted.limits.trials
              << " trials; nothing to do (--more-trials N adds some)\n";
  const int status = study.any_value() ? 0 : 3;
  print_summary(common, study, folder, status);
  return status;
}

void warn_of_edited_program(const Study& study, const StudySpec& wanted) {
  if (study.program().empty() || study.program() == program_mark(wanted)) return;
  std::cerr << "warning: the program has changed since trials 1 to " << study.trials().size()
            << " began; exports mark which trials ran which (column program)\n";
}

// A machine that is up costs money until it is taken down: no other host may take its place before.
void check_hosts(const Study& study, const StudySpec& wanted, SpecChange& change) {
  for (const HostSpec& host : session_hosts(wanted)) {
    const FleetHost* known = study.fleet().find(host.name);
    if (known && known->standing() && !host.elastic)
      change.refusals.push_back("hosts: \"" + host.name + "\" is an elastic host's instance that is still there; give the other host another \"name\"");
  }
}

int go_on(const CommonOptions& common, const ContinueOptions& options, const fs::path& folder, const Ready& ready) {
  const auto opened = OpenStudy::open(folder);
  const Study& study = opened->study;
  const StudySpec wanted = wanted_spec(study, options);
  SpecChange change = compare_specs(study.spec(), wanted);
  check_hosts(study, wanted, change);
  apply_change(common, *opened, wanted, change);
  if (all_done(study, wanted)) return nothing_to_do(common, study, wanted, folder);
  warn_of_edited_program(study, wanted);
  return run_session(*opened, common, ready);
}

}  // namespace

int continue_study(const CommonOptions& common, const ContinueOptions& options) {
  const fs::path folder = study_folder(common, options.study);
  auto session = [&](const Ready& ready) { return go_on(common, options, folder, ready); };
  return options.detach ? run_detached(folder, session) : session([] {});
}

}  // namespace hpsearch
