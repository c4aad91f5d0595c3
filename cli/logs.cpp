#include <iostream>
#include <thread>

#include "cli/log_follower.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "cli/study_summary_view.h"
#include "dashboard/study_argument.h"
#include "scheduler/hosts/exit_record.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/trial_folders.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kFollowEvery{100};
constexpr int kLooksBetweenStates = 10;

struct LogsOptions {
  std::string study;
  int trial = 0;
  std::optional<int> attempt, rank;
  bool follow = false, out_only = false, err_only = false;
};

TrialRow trial_row(const fs::path& folder, int number) {
  const std::int64_t count = read_summary(folder / "study.db").trials();
  check_trial(folder.filename().string(), number, count);
  return read_trials(folder / "study.db", static_cast<int>(count) - number + 1).front();
}

int wanted_attempt(const TrialRow& trial, const LogsOptions& options) {
  if (trial.attempts == 0) throw UserError("trial " + std::to_string(trial.number) + " has not started yet: it has no logs");
  const int attempt = options.attempt.value_or(trial.attempts);
  if (attempt >= 1 && attempt <= trial.attempts) return attempt;
  throw UserError("trial " + std::to_string(trial.number) + " has no attempt " + std::to_string(attempt) +
                  "; it has attempts 1 to " + std::to_string(trial.attempts));
}

bool may_run(const TrialRow& trial, int attempt) {
  return attempt == trial.attempts && (trial.state == TrialState::starting || trial.state == TrialState::running);
}

// Until the attempt has ended, or the study says that it is over in another way.
bool follow(const fs::path& folder, const LogsOptions& options, int attempt, const std::function<bool()>& copy) {
  const fs::path end = attempt_folder(folder, options.trial, attempt).exit();
  for (int look = 0;; ++look) {
    const bool over = fs::exists(end) || (look % kLooksBetweenStates == 0 && !may_run(trial_row(folder, options.trial), attempt));
    if (!copy()) return false;
    if (over) return true;
    std::this_thread::sleep_for(kFollowEvery);
  }
}

// With several processes: the one asked for, else that whose end was the attempt's.
int wanted_rank(const AttemptFolder& files, const LogsOptions& options) {
  if (options.rank.value_or(0) > 0 && !fs::exists(files.output(*options.rank)))
    throw UserError("trial " + std::to_string(options.trial) + " has no rank " + std::to_string(*options.rank));
  if (options.rank) return *options.rank;
  const auto end = parse_exit(read_file(files.exit()).value_or(""));
  if (!end || end->rank == 0) return 0;
  std::cerr << "hpsearch: rank " << end->rank << ", which failed first; --rank=0 shows another one\n";
  return end->rank;
}

// The attempt ran, or runs, on a host whose files are not here.
bool say_where(const fs::path& folder, const LogsOptions& options, int number) {
  const Study study = read_study(folder);
  const Attempt& attempt = find_trial(study, options.trial).attempts.at(number - 1);
  const FleetHost* host = study.fleet().find(attempt.slot.host);
  if (!host || (host->spec.kind != HostKind::ssh && host->spec.kind != HostKind::command)) return false;
  const std::string trial = std::to_string(options.trial);
  std::cerr << "hpsearch: attempt " << number << " of trial " << trial << (attempt.ended ? " ran" : " runs") << " on host "
            << attempt.slot.host << ", its logs are there: hpsearch fetch " << trial << " " << study_argument(folder) << " brings them\n";
  return true;
}

int logs(const CommonOptions& common, const LogsOptions& options) {
  const fs::path folder = study_folder(common, options.study);
  const TrialRow trial = trial_row(folder, options.trial);
  const int attempt = wanted_attempt(trial, options);
  const AttemptFolder files = attempt_folder(folder, options.trial, attempt);
  if (!fs::exists(files.launch()) && say_where(folder, options, attempt)) return 1;
  if (!fs::exists(files.root) && !may_run(trial, attempt)) {
    std::cerr << "hpsearch: the logs of trial " << options.trial << " are gone: " << files.root.string() << " does not exist\n";
    return 1;
  }
  const int rank = wanted_rank(files, options);
  LogFollower out(files.output(rank)), err(files.errors(rank));
  const auto copy = [&] { return (options.err_only || out.copy()) && (options.out_only || err.copy()); };
  if (options.follow) follow(folder, options, attempt, copy);
  else copy();
  return 0;
}

}  // namespace

void add_logs(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("logs", "What a trial wrote: standard output, then standard error");
  auto options = std::make_shared<LogsOptions>();
  verb->add_option("TRIAL", options->trial, "Its number")->required();
  verb->add_option("STUDY", options->study, "Name or space file (default: the only study here)");
  verb->add_option("--attempt", options->attempt, "Of this attempt (default: the last)");
  verb->add_option("--rank", options->rank, "Of this process of a trial with several (default: the first that failed, else 0)")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("-f,--follow", options->follow, "Go on as they grow, until the attempt ends");
  auto* out = verb->add_flag("--stdout", options->out_only, "Only standard output");
  verb->add_flag("--stderr", options->err_only, "Only standard error")->excludes(out);
  verb->callback([=, &common, &action] { action = [=, &common] { return logs(common, *options); }; });
}

}  // namespace hpsearch
