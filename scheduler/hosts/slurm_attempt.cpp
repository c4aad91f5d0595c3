#include "scheduler/hosts/slurm_attempt.h"

#include <algorithm>

#include "scheduler/clock.h"
#include "scheduler/hosts/mailbox.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr Span kLateJob{12'000};             // A job that sbatch gave up on may still turn up, for longer than Slurm's own time-out.
constexpr Span kObedience{5'000};            // For a keeper to find a word in its mailbox and act on it.
constexpr int kMostFailures = 5;
constexpr std::size_t kJobLogTail = 2048;

}  // namespace

SlurmAttempt::SlurmAttempt(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, const Adoption& adoption,
                           Settings settings, Callbacks callbacks)
    : facts_(facts),
      folder_(std::move(folder)),
      name_(adoption.name),
      job_name_(attempt_job_name(adoption.id)),
      settings_(settings),
      callbacks_(std::move(callbacks)),
      tail_(io, facts, folder_, name_, adoption.seen, adoption.metric, [this] { finish(); }),
      insistence_(io) {}

void SlurmAttempt::begin() {
  stage_ = Stage::waiting;
  callbacks_.submit();
}

void SlurmAttempt::adopted() {
  adopted_ = true;
  stage_ = Stage::unsure;
  since_ = steady_now();
}

// Any failure of sbatch leaves open whether there is a job: its name is looked for before it is tried again.
void SlurmAttempt::submitted(const CommandResult& result) {
  if (over_) return;
  stage_ = result.ok() ? Stage::submitted : Stage::unsure;
  since_ = steady_now();
  if (cancelled_) return cancel();
  if (result.ok()) return;
  complaint_ = result.timed_out ? "sbatch does not answer" : complaint_of(result.errors);
}

void SlurmAttempt::see(const std::vector<SlurmJob>& jobs, Span asked_at) {
  if (over_ || (stage_ != Stage::unsure && stage_ != Stage::submitted)) return;
  pending_reason_.clear();
  if (jobs.empty()) absent(asked_at);
  else present(jobs);
}

void SlurmAttempt::absent(Span asked_at) {
  if (asked_at <= since_) return;
  if (stage_ == Stage::submitted) return vanished("");
  if (asked_at < since_ + kLateJob && !(adopted_ && tail_.started())) return;
  if (adopted_ || cancelled_) return vanished("");
  if (++failures_ >= kMostFailures) return give_up({EndKind::launch_failed, 0, false, "sbatch: " + complaint_, ""});
  begin();
}

void SlurmAttempt::present(const std::vector<SlurmJob>& jobs) {
  stage_ = Stage::submitted;
  failures_ = 0;
  const auto live = std::find_if(jobs.begin(), jobs.end(), [](const SlurmJob& job) { return !job_ended(job.state); });
  if (live == jobs.end()) return vanished(jobs.back().state);
  vanished_since_.reset();
  // sbatch was tried again though the first job was only late.
  for (const SlurmJob& job : jobs)
    if (job.id != live->id && job_pending(job)) callbacks_.scancel({job.id});
  if (job_held(*live) && !cancelled_) {
    callbacks_.scancel({"--name=" + job_name_});
    return give_up({EndKind::launch_failed, 0, false, "held by Slurm: " + live->reason, ""});
  }
  if (job_pending(*live)) pending_reason_ = live->reason;
}

// Its job is over: the record of its end is here, or on its way, or will never come.
void SlurmAttempt::vanished(const std::string& state) {
  const Span now = steady_now();
  const bool first = !vanished_since_;
  if (first) vanished_since_ = now;
  tail_.look();
  if (over_) return;
  if (first && state.empty()) callbacks_.forgotten();
  if (now - *vanished_since_ < settings_.sight && !(cancelled_ && !tail_.started())) return;
  if (adopted_ && state.empty() && !tail_.started()) return give_up({EndKind::lost, 0, cancelled_, "never started", ""});
  give_up(end_of_lost_job({state.empty() ? accounted_ : state, tail_.started(), cancelled_, settings_.checkpoint, file_tail(folder_.root / "slurm.log", kJobLogTail)}));
}

void SlurmAttempt::tell(const SchedulerWord& word) {
  if (over_) return;
  try {
    post_word(folder_.words(), word);
  } catch (const std::system_error&) {       // A full disk: what is left is to cancel the job.
  }
  if (const auto* order = std::get_if<OrderWord>(&word)) obey(order->order);
}

// A job that has not begun is cancelled; a trial is told, and its job is cancelled if it does not obey.
void SlurmAttempt::obey(OrderKind order) {
  if (stage_ == Stage::unborn || stage_ == Stage::waiting)
    return give_up({EndKind::lost, 0, true, "ended before it was submitted", ""});
  tail_.look();
  if (over_) return;
  if (!tail_.started()) return cancel();
  if (order == OrderKind::kill) insist(kObedience, true);
  if (order == OrderKind::terminate) insist(settings_.grace + kObedience, false);
}

// First the keeper gets a signal that it ends its trial for, then the job is cancelled.
void SlurmAttempt::insist(Span patience, bool last) {
  insistence_.expires_after(patience);
  insistence_.async_wait([this, last](const auto& error) {
    if (error || over_) return;
    if (last) return cancel();
    callbacks_.scancel({"--signal=TERM", "--batch", "--name=" + job_name_});
    insist(settings_.grace + kObedience, true);
  });
}

void SlurmAttempt::cancel() {
  cancelled_ = true;
  if (stage_ != Stage::submitting) callbacks_.scancel({"--name=" + job_name_});
}

void SlurmAttempt::refused(const std::string& reason) {
  if (!adopted_ && stage_ != Stage::submitted) give_up({EndKind::lost, 0, false, "sbatch: " + reason, ""});
}

void SlurmAttempt::give_up(AttemptEnd end) {
  if (over_) return;
  facts_.push(ended_fact(name_, {std::move(end), SystemClock().now()}));
  finish();
}

void SlurmAttempt::finish() {
  over_ = true;
  insistence_.cancel();
  callbacks_.over();
}

}  // namespace hpsearch
