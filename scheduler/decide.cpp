#include "scheduler/decide.h"

#include <algorithm>

#include "scheduler/continuation.h"
#include "scheduler/elastic.h"
#include "scheduler/settle.h"
#include "search/user_point.h"

namespace hpsearch {

namespace {

enum class Brake { none, interrupted, stopped, out_of_time, out_of_gpu_hours, out_of_money, failures };

Brake brake(const Study& study, Time now) {
  const Limits& limits = study.spec().limits;
  if (study.interruption() > 0) return Brake::interrupted;
  if (study.stop_requested()) return Brake::stopped;
  if (limits.time && study.running_time(now) >= *limits.time) return Brake::out_of_time;
  if (limits.gpu_hours && study.gpu_hours(now) >= *limits.gpu_hours) return Brake::out_of_gpu_hours;
  if (limits.cost && study.cost(now) >= *limits.cost) return Brake::out_of_money;
  const int allowed = study.any_success() ? limits.failures_in_a_row : limits.failures_at_start;
  if (study.failures_in_a_row() >= allowed) return Brake::failures;
  return Brake::none;
}

Judged judged(const Study& study, const Pruner& pruner) {
  const Unjudged& next = *study.unjudged();
  Judgement judgement = pruner.judge(study, next.report, next.value);
  Judged decision;
  decision.trial = next.report.trial;
  decision.attempt = next.report.attempt;
  decision.attempt_seq = next.report.attempt_seq;
  decision.verdict = judgement.verdict;
  decision.milestone = judgement.milestone;
  decision.entries = std::move(judgement.entries);
  decision.reason = std::move(judgement.reason);
  return decision;
}

// ---- Ending what runs --------------------------------------------------------------------------------------------

struct Order {
  OrderKind kind;
  std::string reason;
};

const char* limit_text(Brake why) {
  if (why == Brake::out_of_gpu_hours) return "the study's limit of GPU-hours is reached";
  return why == Brake::out_of_money ? "the study's cost limit is reached" : "the study's time limit is reached";
}

// How the brake ends a running attempt; none: it may run to its end.
std::optional<Order> order_for(const Study& study, Brake why) {
  const bool can_pause = study.spec().trial.checkpoint;
  switch (why) {
    case Brake::none: return std::nullopt;
    case Brake::interrupted:
      if (study.interruption() >= 3) return Order{OrderKind::kill, "interrupted"};
      if (study.interruption() == 2) return Order{OrderKind::terminate, "interrupted"};
      return can_pause ? std::optional(Order{OrderKind::pause_at_report, "interrupted"}) : std::nullopt;
    case Brake::stopped:
      if (study.stop_requested()->now) return Order{OrderKind::terminate, "stopped by the user"};
      return can_pause ? std::optional(Order{OrderKind::pause_at_report, "stopped by the user"}) : std::nullopt;
    case Brake::out_of_time:
    case Brake::out_of_gpu_hours:
    case Brake::out_of_money: return Order{can_pause ? OrderKind::pause_at_report : OrderKind::terminate, limit_text(why)};
    case Brake::failures: return Order{OrderKind::terminate, "too many failures in a row"};
  }
  return std::nullopt;
}

bool weaker(const std::optional<EndOrdered>& given, OrderKind kind) { return !given || given->order < kind; }

std::optional<Decision> end_order(const Study& study, Brake why) {
  for (int number : study.cancel_requests()) {
    const Trial& trial = study.trial(number);
    if (!trial.live()) {
      return TrialSettled{number, 0, TrialState::cancelled, FailureReason::none, 0, "stopped by the user", false};
    }
    if (!trial.current()->ended && (!trial.current()->order || !trial.current()->order->cancel))
      return EndOrdered{number, trial.current()->number, OrderKind::terminate, "stopped by the user", true};
  }
  const std::optional<Order> order = order_for(study, why);
  if (!order) return std::nullopt;
  for (int number : study.live()) {
    const Attempt& attempt = *study.trial(number).current();
    const bool told = attempt.verdict && order->kind == OrderKind::pause_at_report;
    if (!attempt.ended && !told && weaker(attempt.order, order->kind))
      return EndOrdered{number, attempt.number, order->kind, order->reason, false};
  }
  return std::nullopt;
}

// ---- Starting ----------------------------------------------------------------------------------------------------

Decision plan(const Trial& trial, const Slot& slot, const Continuation& from) {
  AttemptPlanned plan;
  plan.trial = trial.number;
  plan.attempt = static_cast<int>(trial.attempts.size()) + 1;
  plan.slot = slot;
  plan.milestone = trial.milestone;
  plan.resume_attempt = from.attempt;
  plan.resume_checkpoint = from.checkpoint;
  return plan;
}

// A trial goes on where its checkpoint lies, and elsewhere after a failure that may be the host's. One that has run out of a
// GPU's memory shares none any more.
std::optional<Slot> place(const Study& study, const Trial& trial, const Continuation& from) {
  const Attempt* last = trial.current();
  const bool failed = last && last->end && !last->end->ordered && !last->verdict;
  const Attempt* outgrown = trial.outgrown();
  return study.fleet().place(failed ? "" : from.host, failed ? last->slot.host : "", outgrown ? &outgrown->slot : nullptr);
}

// Those that units are kept for, then the first in the queue whose checkpoint can be had. `room`: for any other trial.
std::optional<Decision> next_in_queue(const Study& study, bool room) {
  for (int number : study.outgrown()) {
    const Trial& trial = study.trial(number);
    const std::optional<Continuation> from = continuation(study, trial);
    const std::optional<Slot> slot = from ? place(study, trial, *from) : std::nullopt;
    if (slot) return plan(trial, *slot, *from);
  }
  if (!room) return std::nullopt;
  for (int number : study.queue()) {
    const Trial& trial = study.trial(number);
    const std::optional<Continuation> from = study.outgrown().contains(number) ? std::nullopt : continuation(study, trial);
    if (!from) continue;
    const std::optional<Slot> slot = place(study, trial, *from);
    return slot ? std::optional(plan(trial, *slot, *from)) : std::nullopt;
  }
  return std::nullopt;
}

Promoted promoted(Promotion promotion) {
  return {promotion.trial, promotion.bracket, promotion.from, promotion.to,
          promotion.n,     promotion.k,       promotion.rank, std::move(promotion.reason)};
}

// The user's points first. One that the space (as it is now) can't hold gives way to the sampler.
SamplerAnswer suggestion(const Study& study, const Sampler& sampler, int trial) {
  if (!study.enqueued().empty())
    if (auto point = user_point(study.spec().space, study.enqueued().front(), study.seed(), trial)) return *point;
  return sampler.suggest(study, trial);
}

constexpr std::int64_t kManyTrials = 1'000'000;

struct Newcomer {
  std::optional<Decision> decision;
  bool may_come_later = false;
  std::string exhausted = kAllTrialsDone;    // Why none will ever come.
};

Newcomer new_trial(const Study& study, const Policy& policy) {
  if (!study.trials_left()) return {};
  TrialSuggested decision;
  decision.trial = static_cast<int>(study.trials().size()) + 1;
  SamplerAnswer answer = suggestion(study, policy.sampler, decision.trial);
  if (std::holds_alternative<SamplerWait>(answer)) return {std::nullopt, true, ""};
  if (auto* exhausted = std::get_if<SamplerExhausted>(&answer)) return {std::nullopt, false, std::move(exhausted->reason)};
  decision.suggestion = std::move(std::get<Suggestion>(answer));
  const Admission admission = policy.pruner.admit(study);
  decision.bracket = admission.bracket;
  decision.milestone = admission.milestone;
  return {Decision(std::move(decision)), true, ""};
}

// Whether more trials than `coming` would start if there were room, as far as can be told.
bool more_wait(const Study& study, const Policy& policy, std::int64_t coming) {
  for (int number : study.queue())
    if (continuation(study, study.trial(number)) && coming-- == 0) return true;
  if (policy.pruner.next(study) && coming-- == 0) return true;
  const auto so_far = static_cast<std::int64_t>(study.trials().size());
  std::int64_t most = study.spec().limits.trials.value_or(so_far + kManyTrials);
  if (const auto size = study.spec().space.size()) most = std::min(most, std::max(so_far + 1, static_cast<std::int64_t>(*size)));
  return most - so_far > coming && new_trial(study, policy).decision;
}

// There is no room: a host is brought up for what waits, where one can be.
std::optional<Decision> make_room(const Study& study, const Policy& policy, Time now) {
  std::optional<Launch> launch = next_launch(study.fleet(), now);
  if (!launch || !more_wait(study, policy, launch->coming)) return std::nullopt;
  return std::move(launch->order);
}

// ---- The end -----------------------------------------------------------------------------------------------------

// The best paused trial goes on to the end when otherwise nothing would ever complete.
std::optional<Decision> last_promotion(const Study& study) {
  if (study.count(TrialState::completed) > 0 || study.count(TrialState::paused) == 0) return std::nullopt;
  const Trial* best = nullptr;
  for (const Trial& trial : study.trials())
    if (trial.state == TrialState::paused && study.ranks(trial) && (!best || study.ranks_before(trial, *best)))
      best = &trial;
  if (!best) return std::nullopt;
  Promoted decision;
  decision.trial = best->number;
  decision.bracket = best->bracket;
  decision.from = best->resource;
  decision.to = study.spec().resource->max;
  decision.reason = "nothing has completed: the best paused trial goes on to the end";
  return decision;
}

constexpr Span kHour{3'600'000};

// When a limit is reached of which `per_hour` is spent in an hour, rounded up; a day where nothing is spent.
Span until(double left, double per_hour) {
  if (left <= 0) return Span(0);
  return per_hour > left / 24 ? Span(1 + static_cast<std::int64_t>(left / per_hour * 3'600'000)) : 24 * kHour;
}

StudyEnded ended(const Study& study, std::string reason) {
  return {std::move(reason), study.any_value() ? 0 : 3};
}

}  // namespace

std::optional<Decision> next_decision(const Study& study, const Policy& policy, Time now) {
  if (study.ended() || !study.in_session()) return std::nullopt;
  if (study.unjudged()) return judged(study, policy.pruner);
  if (auto number = study.unsettled()) return settle(study, study.trial(*number));
  if (auto release = next_release(study.fleet(), now)) return release;
  const Brake why = brake(study, now);
  if (auto order = end_order(study, why)) return order;
  if (why == Brake::interrupted || why == Brake::stopped) return std::nullopt;  // The session ends, the study does not.
  if (why != Brake::none) {
    if (!study.live().empty()) return std::nullopt;
    if (why == Brake::failures) return StudyEnded{kTooManyFailures, 3};
    return ended(study, std::string(limit_text(why)).replace(0, 11, "the"));
  }
  const bool room = study.fleet().place("", "").has_value();
  if (auto planned = next_in_queue(study, room)) return planned;
  if (!room && (!study.live().empty() || !study.queue().empty())) return make_room(study, policy, now);
  auto promotion = policy.pruner.next(study);
  if (promotion) return room ? std::optional<Decision>(promoted(std::move(*promotion))) : make_room(study, policy, now);
  Newcomer newcomer = new_trial(study, policy);
  if (!room && newcomer.decision) return make_room(study, policy, now);
  const bool waits = newcomer.may_come_later || !study.live().empty() || !study.queue().empty();
  if (newcomer.decision || waits) return std::move(newcomer.decision);
  if (auto last = last_promotion(study)) return last;
  return ended(study, std::move(newcomer.exhausted));
}

std::optional<Time> next_wake(const Study& study, Time now) {
  if (!study.in_session()) return std::nullopt;
  const Limits& limits = study.spec().limits;
  std::optional<Span> left;
  const auto at_most = [&](Span span) { left = left ? std::min(*left, span) : span; };
  if (limits.time) at_most(*limits.time - study.running_time(now));
  if (limits.gpu_hours) at_most(until(*limits.gpu_hours - study.gpu_hours(now), study.gpu_hours(now + kHour) - study.gpu_hours(now)));
  if (limits.cost) at_most(until(*limits.cost - study.cost(now), study.cost(now + kHour) - study.cost(now)));
  const std::optional<Time> host = elastic_wake(study.fleet(), now);
  if (!left || *left <= Span(0)) return host;  // Everything about it has been decided: the next fact will come.
  return std::min(now + *left, host.value_or(Time::max()));
}

}  // namespace hpsearch
