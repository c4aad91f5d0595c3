#include "scheduler/hosts/slurm_control.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

constexpr int kAtATime = 4;
constexpr Span kBetweenJobs{100}, kBurst{1'000};
constexpr Span kPatienceOfSbatch{60'000};
constexpr Span kWaitsLong{10'000};
constexpr Span kNodesSpeak{15'000};          // To a controller that has just started.

std::vector<std::string> slurm_environment() {
  std::vector<std::string> env;
  for (char** entry = environ; *entry; ++entry)
    if (inherited_by_jobs(*entry)) env.emplace_back(*entry);
  return env;
}

}  // namespace

SlurmControl::SlurmControl(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, TrialSpec needs, Callbacks callbacks)
    : facts_(facts),
      spec_(std::move(spec)),
      needs_(std::move(needs)),
      callbacks_(std::move(callbacks)),
      commands_(io, kAtATime, slurm_environment()),
      watch_(io, commands_,
             {[this](const std::vector<SlurmJob>& jobs, Span asked_at) { take(jobs, asked_at); },
              [this](const std::string& reason) { away(reason); }}),
      pace_(io) {}

// ---- Whether it answers ------------------------------------------------------------------------------------------

void SlurmControl::take(const std::vector<SlurmJob>& jobs, Span asked_at) {
  answers_ = true;
  if (!tested_) test();
  else if (!refused_) see(HostState::up, said_ && said_->first == HostState::up ? said_->second : "");
  callbacks_.seen(jobs, asked_at);
  submit_next();
}

void SlurmControl::away(const std::string& reason) {
  answers_ = false;
  if (!tested_ && reason.find("command not found") != std::string::npos) return refuse(reason);
  if (!refused_) see(HostState::unreachable, reason);
}

// A job that no node could ever run is refused before the first trial.
void SlurmControl::test() {
  if (testing_) return;
  testing_ = true;
  commands_.run({sbatch_test_command(spec_, needs_), job_script({"true"}), kPatienceOfSbatch}, [this](const CommandResult& result) {
    testing_ = false;
    if (result.timed_out) return;
    if (!result.ok() && no_such_node(result.errors)) return doubt(complaint_of(result.errors));
    tested_ = true;
    if (const auto fault = result.ok() ? std::nullopt : settings_fault(result.errors)) return refuse(*fault);
    see(HostState::up, "");
    submit_next();
  });
}

// The next look at the jobs tests again.
void SlurmControl::doubt(const std::string& reason) {
  const Span now = steady_now();
  if (!doubted_since_) doubted_since_ = now;
  if (now - *doubted_since_ > kNodesSpeak) refuse(reason);
}

void SlurmControl::refuse(const std::string& reason) {
  if (refused_) return;
  tested_ = refused_ = true;
  submissions_.clear();
  see(HostState::refused, reason);
  callbacks_.refused(reason);
}

// Each change is told once.
void SlurmControl::see(HostState state, const std::string& reason) {
  if (said_ == std::pair(state, reason)) return;
  said_ = {state, reason};
  facts_.push(HostSeen{spec_.name, state, reason, 0, 0, {}});
}

void SlurmControl::jobs_wait(std::set<std::string> reasons) {
  reasons.erase("");
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "jobs wait: " : ", ") + reason;
  const Span now = steady_now();
  if (text != waits_) waits_ = text, waits_since_ = now;
  if (said_ && said_->first == HostState::up && now - waits_since_ >= kWaitsLong) see(HostState::up, waits_);
}

// ---- Jobs --------------------------------------------------------------------------------------------------------

void SlurmControl::submit(SlurmAsk ask, std::string script, std::function<bool()> begun, Submitted done) {
  if (refused_) return;
  submissions_.push_back({std::move(ask), std::move(script), std::move(begun), std::move(done)});
  submit_next();
}

void SlurmControl::submit_next() {
  while (answers_ && tested_ && !submissions_.empty()) {
    const Span now = steady_now();
    if (paced_until_ - now > kBurst) {
      pace_.expires_after(kBetweenJobs);
      pace_.async_wait([this](const auto& error) {
        if (!error) submit_next();
      });
      return;
    }
    const Submission next = std::move(submissions_.front());
    submissions_.pop_front();
    if (!next.begun()) continue;
    paced_until_ = std::max(paced_until_, now) + kBetweenJobs;
    hand_in(next);
  }
}

void SlurmControl::hand_in(const Submission& next) {
  commands_.run({sbatch_command(spec_, needs_, next.ask), next.script, kPatienceOfSbatch},
                [this, done = next.done](const CommandResult& result) {
                  watch_.hurry();
                  const auto fault = result.ok() || result.timed_out ? std::nullopt : settings_fault(result.errors);
                  if (fault) refuse(*fault);
                  done(result);
                });
}

void SlurmControl::scancel_unwatched(const std::vector<std::string>& words) {
  const auto program = find_program("scancel", "");
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const std::string& word : words)
    if (program) spawn({*program, {"scancel", "--quiet", word}, slurm_environment(), "",
                        {{0, nothing.get()}, {1, nothing.get()}, {2, nothing.get()}}, Lead::session});
}

void SlurmControl::ask_accounting(const std::string& job_name, std::function<void(const std::string& state)> done) {
  commands_.run({sacct_command(job_name), "", Span(30'000)}, [done = std::move(done)](const CommandResult& result) {
    done(result.ok() ? parse_sacct(result.output) : "");
  });
}

void SlurmControl::scancel(const std::vector<std::string>& words) {
  std::vector<std::string> argv{"scancel", "--quiet"};
  argv.insert(argv.end(), words.begin(), words.end());
  commands_.run({std::move(argv), "", Span(30'000)}, [this](const CommandResult&) { watch_.hurry(); });
}

}  // namespace hpsearch
