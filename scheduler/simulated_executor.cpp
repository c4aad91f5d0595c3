#include "scheduler/simulated_executor.h"

#include <algorithm>
#include <csignal>

namespace hpsearch {

void SimulatedExecutor::start(const Study& study, const AttemptPlanned& plan) {
  study_ = &study;
  const Trial& trial = study.trial(plan.trial);
  // Without a checkpoint to go on from, a later attempt starts from nothing.
  runs_[plan.trial] = {plan.attempt, plan.resume_attempt > 0 ? trial.resource : 0, 0};
  immediate_.push_back(AttemptStarted{plan.trial, plan.attempt, 0});
  schedule(trial, plan.milestone.value_or(1));
}

void SimulatedExecutor::schedule(const Trial& trial, double milestone) {
  const Run& run = runs_.at(trial.number);
  const double step = std::min(milestone, world_.next_report(trial, run.step, milestone));
  const std::optional<double> death = world_.dies_at(trial, *trial.current());
  const bool dies = death && *death > run.step && *death <= step;
  const Time at = now_ + world_.duration(trial, run.step, dies ? *death : step);
  due_.push({at, order_++, trial.number, run.attempt, dies ? std::nullopt : std::optional(step)});
}

void SimulatedExecutor::end(int trial, AttemptEnd end) {
  auto run = runs_.find(trial);
  if (run == runs_.end()) return;
  immediate_.push_back(AttemptEnded{trial, run->second.attempt, std::move(end), now_});
  runs_.erase(run);
}

void SimulatedExecutor::tell(const Study& study, const std::variant<Judged, EndOrdered>& word) {
  if (const auto* order = std::get_if<EndOrdered>(&word)) {
    end(order->trial, {EndKind::signalled, SIGTERM, true, "", ""});
    return;
  }
  const Judged& judged = std::get<Judged>(word);
  if (judged.verdict != Verdict::go_on) end(judged.trial, {EndKind::exited, 0, true, "", ""});
  else if (runs_.count(judged.trial)) schedule(study.trial(judged.trial), *judged.milestone);
}

void SimulatedExecutor::adopt(const Study& study, const Trial& trial, const Attempt& attempt) {
  study_ = &study;
  if (!runs_.count(trial.number))
    immediate_.push_back(AttemptEnded{trial.number, attempt.number, {EndKind::lost, 0, false, "", ""}, now_});
}

Fact SimulatedExecutor::happen(const Due& due) {
  const Trial& trial = study_->trial(due.trial);
  Run& run = runs_.at(due.trial);
  if (!due.step) {
    runs_.erase(due.trial);
    return AttemptEnded{due.trial, due.attempt, {EndKind::lost, 0, false, "simulated loss", ""}, now_};
  }
  Reported report;
  report.trial = due.trial;
  report.attempt = due.attempt;
  report.attempt_seq = ++run.seq;
  report.reported_at = now_;
  report.value = MetricValue(world_.value(trial, *due.step));
  run.step = *due.step;
  const std::optional<double> milestone = trial.current()->milestone;
  if (!milestone) end(due.trial, {EndKind::exited, 0, false, "", ""});
  else report.step = due.step;
  if (milestone && *due.step < *milestone) schedule(trial, *milestone);
  return report;
}

std::variant<Fact, Tick> SimulatedExecutor::wait(std::optional<Time> deadline) {
  if (deadline && *deadline <= now_) return Tick{};
  if (!immediate_.empty()) {
    Fact fact = std::move(immediate_.front());
    immediate_.pop_front();
    return fact;
  }
  while (!due_.empty()) {
    const Due due = due_.top();
    if (deadline && due.at > *deadline) break;
    due_.pop();
    auto run = runs_.find(due.trial);
    if (run == runs_.end() || run->second.attempt != due.attempt) continue;  // It ended meanwhile.
    now_ = std::max(now_, due.at);
    return happen(due);
  }
  if (deadline) now_ = *deadline;
  return Tick{};
}

}  // namespace hpsearch
