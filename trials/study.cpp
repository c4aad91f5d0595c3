#include "trials/study.h"

#include <algorithm>

namespace hpsearch {

bool Trial::live() const { return !attempts.empty() && !attempts.back().settled; }

bool Trial::succeeded() const {
  return value && value->finite() && state != TrialState::failed && state != TrialState::cancelled;
}

const Attempt* Trial::current() const { return attempts.empty() ? nullptr : &attempts.back(); }

const Attempt* Trial::outgrown() const {
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt)
    if (attempt->out_of_memory()) return &*attempt;
  return nullptr;
}

// Reports without a name count while no checkpoint has been named: the program may keep its own in the folder.
const Attempt* Trial::checkpointed() const {
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt)
    if (!attempt->checkpoint.empty() || (attempt->reported_step > 0 && attempt->resume_checkpoint.empty())) return &*attempt;
  return nullptr;
}

bool Trial::finished() const {
  switch (state) {
    case TrialState::queued:
    case TrialState::starting:
    case TrialState::running:
    case TrialState::paused: return false;
    case TrialState::completed:
    case TrialState::stopped:
    case TrialState::failed:
    case TrialState::cancelled: return true;
  }
  return true;
}

const Attempt* Study::find_attempt(int trial, int attempt) const {
  if (trial < 1 || trial > static_cast<int>(trials_.size())) return nullptr;
  const std::vector<Attempt>& attempts = this->trial(trial).attempts;
  return attempt < 1 || attempt > static_cast<int>(attempts.size()) ? nullptr : &attempts[attempt - 1];
}

bool Study::counts(const Reported& report) const {
  if (report.trial < 1 || report.trial > static_cast<int>(trials_.size())) return false;
  const Trial& trial = this->trial(report.trial);
  const Attempt* attempt = trial.current();
  if (!attempt || attempt->number != report.attempt || attempt->settled || report.attempt_seq <= attempt->last_attempt_seq)
    return false;
  if (report.step && (*report.step <= 0 || *report.step <= trial.resource)) return false;
  return !attempt->verdict || (*attempt->verdict == Verdict::complete && !report.step);
}

bool Study::trials_left() const {
  return !spec_->limits.trials || static_cast<std::int64_t>(trials_.size()) < *spec_->limits.trials;
}

bool Study::wants_room() const {
  if (!in_session_ || ended_ || interruption_ > 0 || stop_requested_) return false;
  return !queue_.empty() || count(TrialState::paused) > 0 || trials_left();
}

Span Study::running_time(Time now) const {
  return in_session_ ? past_running_ + (now - session_started_) : past_running_;
}

double hours(const Attempt& attempt, Time now) {
  if (!attempt.started) return 0;
  const Span span = (attempt.ended ? attempt.released_at : now) - attempt.begun_at;
  return std::max(0.0, static_cast<double>(span.count()) / 3'600'000);
}

double cost(const InstanceBill& bill, Time now) {
  if (!bill.since) return bill.past;
  return bill.past + bill.price_per_hour * std::max(0.0, static_cast<double>((now - *bill.since).count()) / 3'600'000);
}

double Study::gpu_hours(Time now) const {
  double sum = gpu_hours_;
  for (int number : live_)
    if (const Attempt& attempt = *trial(number).current(); !attempt.ended) sum += attempt.gpus * hours(attempt, now);
  return sum;
}

double Study::cost(Time now) const {
  double sum = cost_;
  for (int number : live_)
    if (const Attempt& attempt = *trial(number).current(); !attempt.ended) sum += attempt.price_per_hour * hours(attempt, now);
  for (const auto& [host, bill] : instances_) sum += hpsearch::cost(bill, now);
  return sum;
}

bool Study::better(double a, double b) const {
  if (!std::isfinite(a)) return false;
  if (!std::isfinite(b)) return true;
  return spec_->maximize() ? a > b : a < b;
}

bool Study::ranks(const Trial& trial) const { return !trial.excluded && trial.succeeded(); }

Rank Study::rank_of(const Trial& trial) const {
  const bool completed = trial.state == TrialState::completed;
  const double value = trial.value->number;
  return {!completed, completed ? 0 : -trial.resource, spec_->maximize() ? -value : value, trial.number};
}

bool Study::ranks_before(const Trial& a, const Trial& b) const { return rank_of(a) < rank_of(b); }

bool Study::any_value() const {
  return !ranking_.empty() || std::any_of(trials_.begin(), trials_.end(), [](const Trial& t) { return t.succeeded(); });
}

}  // namespace hpsearch
