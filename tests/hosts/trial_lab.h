#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/fleet_executor.h"
#include "scheduler/hosts/trial_folders.h"
#include "trials/study.h"

namespace hpsearch::testing {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A study of one shell script, run for real: what a runner does with an executor, step by step. What a test leaves
// running is ended with the lab.
class TrialLab {
 public:
  // `script` becomes t.sh, run as `sh t.sh {x}`. `keys` replace or add top-level keys of the space file. The metric is
  // "loss", minimised.
  explicit TrialLab(const std::string& script, const Json& keys = Json::object());
  ~TrialLab();

  // Plans and starts the next attempt of trial 1.
  void start(std::optional<double> milestone = std::nullopt, int resume_attempt = 0, const std::string& checkpoint = "");
  // The next fact, within 10 seconds; it is folded into the study. Fails the test and throws when none comes.
  Fact next();
  template <typename F>
  F next_of() {
    for (;;) {
      const Fact fact = next();
      if (const F* wanted = std::get_if<F>(&fact)) return *wanted;
    }
  }
  // Everything up to the attempt's end. Reports on the way are kept in `reports`.
  AttemptEnd end();
  void judge(const Reported& report, Verdict verdict, std::optional<double> milestone = std::nullopt);
  void order(OrderKind kind);
  void settle(TrialState state);

  // The scheduler dies and another one takes over.
  void forget_executor() { executor_.reset(); }
  void new_executor();
  void adopt();

  const Attempt& attempt() const { return *study.trial(1).current(); }
  AttemptFolder folder() const { return attempt_folder(home.path() / "study", 1, attempt().number); }
  std::string file(const std::filesystem::path& path) const;
  FleetExecutor& executor() { return *executor_; }

  TemporaryFolder home;
  Study study;
  std::vector<std::string> devices;  // Of the next attempt.
  std::vector<Reported> reports;
  std::vector<ReportRejected> rejections;

 private:
  void apply(std::variant<Fact, Decision> body);

  std::unique_ptr<FleetExecutor> executor_;
};

// True once `holds` does, asked every few milliseconds for at most five seconds.
bool eventually(const std::function<bool()>& holds);
bool alive(pid_t pid);

}  // namespace hpsearch::testing
