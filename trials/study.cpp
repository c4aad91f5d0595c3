#include "trials/study.h"

namespace hpsearch {

bool Trial::live() const { return !attempts.empty() && !attempts.back().settled; }

bool Trial::succeeded() const {
  return value && value->finite() && state != TrialState::failed && state != TrialState::cancelled;
}

const Attempt* Trial::current() const { return attempts.empty() ? nullptr : &attempts.back(); }

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

std::optional<Slot> Study::free_slot() const {
  if (free_slots_.empty()) return std::nullopt;
  return slots_[*free_slots_.begin()];
}

Span Study::running_time(Time now) const {
  return in_session_ ? past_running_ + (now - session_started_) : past_running_;
}

bool Study::better(double a, double b) const {
  if (!std::isfinite(a)) return false;
  if (!std::isfinite(b)) return true;
  return spec_->maximize() ? a > b : a < b;
}

bool Study::ranks(const Trial& trial) const { return !trial.excluded && trial.succeeded(); }

bool Study::ranks_before(const Trial& a, const Trial& b) const {
  const bool a_completed = a.state == TrialState::completed, b_completed = b.state == TrialState::completed;
  if (a_completed != b_completed) return a_completed;
  if (!a_completed && a.resource != b.resource) return a.resource > b.resource;
  if (better(a.value->number, b.value->number)) return true;
  if (better(b.value->number, a.value->number)) return false;
  return a.number < b.number;
}

std::optional<int> Study::best() const {
  if (!best_stale_) return best_;
  best_.reset();
  for (const Trial& trial : trials_)
    if (ranks(trial) && (!best_ || ranks_before(trial, this->trial(*best_)))) best_ = trial.number;
  best_stale_ = false;
  return best_;
}

}  // namespace hpsearch
