#include "scheduler/settle.h"

#include <algorithm>
#include <csignal>

#include "trials/number.h"
#include "trials/suggestion.h"

namespace hpsearch {

namespace {

constexpr int kTemporaryFailure = 75;  // EX_TEMPFAIL of sysexits.h: the program itself asks for a retry.

TrialSettled settled(const Trial& trial, TrialState state, std::string detail = {}) {
  TrialSettled result;
  result.trial = trial.number;
  result.attempt = trial.current()->number;
  result.state = state;
  result.detail = std::move(detail);
  return result;
}

TrialSettled failed(const Trial& trial, FailureReason reason, int code, std::string detail) {
  TrialSettled result = settled(trial, TrialState::failed, std::move(detail));
  result.failure = reason;
  result.code = code;
  return result;
}

// Infrastructure's fault: another attempt while retries are left.
TrialSettled retried(const Study& study, const Trial& trial, TrialSettled failure) {
  if (trial.retries_used >= study.spec().trial.retries) return failure;
  failure.detail = failure_text(failure.failure, failure.code) + (failure.detail.empty() ? "" : ": " + failure.detail);
  failure.state = TrialState::queued;
  failure.failure = FailureReason::none;
  failure.code = 0;
  failure.counts_as_retry = true;
  return failure;
}

// Once more, where its GPUs are its own: that it shared them, or what was left of these, may have been the reason. After that
// no number of retries would help.
TrialSettled out_of_memory(const Trial& trial, const AttemptEnd& end) {
  const auto before = std::count_if(trial.attempts.begin(), trial.attempts.end(), [](const Attempt& attempt) { return attempt.out_of_memory(); });
  const std::string what = "the memory of its GPU was too small: " + end.out_of_memory;
  if (before > 1) return failed(trial, FailureReason::out_of_memory, 0, what + "; tried again on a GPU of its own");
  return settled(trial, TrialState::queued, what + "; it is tried once more, on a GPU of its own");
}

// The metric that never came, with what did: the first thing a user with a renamed metric needs.
std::string missing_metric(const Study& study, const Trial& trial) {
  const std::string& wanted = study.spec().metric().name;
  if (trial.step_zero) return "\"" + wanted + "\" came with step 0 only: steps start at 1";
  if (trial.reports == 0)
    return "no metrics received; wanted \"" + wanted + "\" (docs/trial-protocol.md tells how a program reports)";
  const std::vector<std::string> names(study.metric_names_seen().begin(), study.metric_names_seen().end());
  return "\"" + wanted + "\" was never reported; what came: " + joined(names) + did_you_mean(wanted, names);
}

// The end of a trial that was not told to end, or that completed: its value decides.
TrialSettled by_value(const Study& study, const Trial& trial, TrialState state, std::string detail = {}) {
  if (!trial.value) return failed(trial, FailureReason::no_metric, 0, missing_metric(study, trial));
  const std::string& name = study.spec().metric().name;
  if (!trial.value->is_number)
    return failed(trial, FailureReason::no_metric, 0, name + ": not a number: \"" + trial.value->text + "\"");
  if (!trial.value->finite())
    return failed(trial, FailureReason::diverged, 0, name + " = " + trial.value->text);
  return settled(trial, state, std::move(detail));
}

TrialSettled by_verdict(const Study& study, const Trial& trial, Verdict verdict) {
  switch (verdict) {
    case Verdict::pause: return by_value(study, trial, TrialState::paused);
    case Verdict::stop: return by_value(study, trial, TrialState::stopped);
    case Verdict::complete:
    case Verdict::go_on: return by_value(study, trial, TrialState::completed);
  }
  return by_value(study, trial, TrialState::completed);
}

// Ended because we said so for a reason outside early stopping: cancelled, kept at its level, or started again later.
TrialSettled by_order(const Study& study, const Trial& trial, const EndOrdered& order) {
  if (order.cancel) return settled(trial, TrialState::cancelled, order.reason);
  const bool comes_back = study.interruption() > 0 || study.stop_requested();
  if (!comes_back && !study.spec().trial.checkpoint && trial.value && trial.value->finite())
    return settled(trial, TrialState::stopped, order.reason);
  return settled(trial, TrialState::queued, order.reason);
}

// The allocation that it ran in came to its end. That costs no retry, unless nothing was reached in it: then the next one
// may get no further.
TrialSettled interrupted_by_host(const Study& study, const Trial& trial, const AttemptEnd& end) {
  if (trial.current()->reported_step < 0) return retried(study, trial, failed(trial, FailureReason::lost, 0, end.detail));
  return settled(trial, TrialState::queued, end.detail);
}

// Started to take a trial further, and reported nothing.
bool silent_continuation(const Trial& trial) {
  const Attempt& attempt = *trial.current();
  return attempt.resume_attempt > 0 && attempt.milestone && attempt.reported_step < 0;
}

TrialSettled by_exit_status(const Study& study, const Trial& trial, const AttemptEnd& end) {
  if (end.code == 0 && silent_continuation(trial))
    return by_value(study, trial, TrialState::stopped, "attempt " + std::to_string(trial.current()->number) +
                                                           " ended without a report: no further than the one before");
  if (end.code == 0) return by_value(study, trial, TrialState::completed);
  const TrialSettled failure = failed(trial, FailureReason::exit, end.code, end.detail);
  const std::vector<int>& retry_on = study.spec().trial.retry_on;
  const bool retry = end.code == kTemporaryFailure || std::count(retry_on.begin(), retry_on.end(), end.code) > 0;
  return retry ? retried(study, trial, failure) : failure;
}

TrialSettled by_signal(const Study& study, const Trial& trial, const AttemptEnd& end) {
  std::string detail = end.detail;
  if (end.code == SIGKILL && detail.empty()) detail = "killed from outside; the usual cause is too little memory";
  const TrialSettled failure = failed(trial, FailureReason::signal, end.code, detail);
  return end.code == SIGKILL ? retried(study, trial, failure) : failure;
}

}  // namespace

TrialSettled settle(const Study& study, const Trial& trial) {
  const Attempt& attempt = *trial.current();
  const AttemptEnd& end = *attempt.end;
  if (attempt.rejected_report) return failed(trial, FailureReason::bad_report, 0, attempt.rejection);
  if (attempt.verdict) return by_verdict(study, trial, *attempt.verdict);
  if (attempt.order && end.ordered) return by_order(study, trial, *attempt.order);
  if (attempt.out_of_memory()) return out_of_memory(trial, end);
  switch (end.kind) {
    case EndKind::exited: return by_exit_status(study, trial, end);
    case EndKind::signalled: return by_signal(study, trial, end);
    case EndKind::timed_out: return failed(trial, FailureReason::timed_out, 0, end.detail);
    case EndKind::silent: return failed(trial, FailureReason::silent, 0, end.detail);
    case EndKind::launch_failed: return retried(study, trial, failed(trial, FailureReason::launch, 0, end.detail));
    case EndKind::lost:
      if (attempt.order) return by_order(study, trial, *attempt.order);
      if (end.ordered) return interrupted_by_host(study, trial, end);
      if (!attempt.started) return settled(trial, TrialState::queued, end.detail.empty() ? "interrupted before it started" : end.detail);
      return retried(study, trial, failed(trial, FailureReason::lost, 0, end.detail));
  }
  return settled(trial, TrialState::failed);
}

}  // namespace hpsearch
