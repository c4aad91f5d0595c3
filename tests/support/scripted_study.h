#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/here.h"
#include "search/pruner.h"
#include "search/sampler.h"
#include "trials/spec.h"
#include "trials/study.h"

namespace hpsearch::testing {

// A study without a scheduler: the test says what happens, in the order it happens, and each call appends the events
// that a scheduler would. Sampler and pruner fold them as they do in a real study.
class ScriptedStudy {
 public:
  explicit ScriptedStudy(const std::string& space, std::uint64_t seed = 1) : spec_(parse_spec(space, "test.json")) {
    sampler_ = make_sampler(spec_, seed);
    pruner_ = make_pruner(spec_);
    apply(Fact(StudyCreated{"0123456789abcdef0123456789abcdef", seed, spec_.name, spec_.folder, spec_.document}));
    SessionStarted session;
    session.hosts = {here(64)};
    apply(Fact(session));
  }

  void apply(std::variant<Fact, Decision> body) {
    log_.push_back({study_.last_seq() + 1, Time(Span(static_cast<std::int64_t>(log_.size()))), std::move(body)});
    study_.apply(log_.back());
    pruner_->apply(study_, log_.back());
    sampler_->apply(log_.back());
  }

  // The sampler's next trial; none when it is exhausted.
  std::optional<int> suggest() {
    const int number = static_cast<int>(study_.trials().size()) + 1;
    const SamplerAnswer answer = sampler_->suggest(study_, number);
    const auto* suggestion = std::get_if<Suggestion>(&answer);
    if (!suggestion) return std::nullopt;
    const Admission admission = pruner_->admit(study_);
    apply(Decision(TrialSuggested{number, *suggestion, admission.bracket, admission.milestone}));
    return number;
  }

  void start(int trial) {
    AttemptPlanned plan;
    plan.trial = trial;
    plan.attempt = static_cast<int>(study_.trial(trial).attempts.size()) + 1;
    plan.id = std::to_string(trial) + "." + std::to_string(plan.attempt);
    plan.slot = *study_.fleet().place("", "");
    plan.milestone = study_.trial(trial).milestone;
    apply(Decision(plan));
    apply(Fact(AttemptStarted{trial, plan.attempt, 1000 + trial}));
  }

  // A new trial, running.
  int launch() {
    const int trial = suggest().value();
    start(trial);
    return trial;
  }

  // The verdict, where the report is one that gets a verdict.
  std::optional<Judged> report(int trial, double step, MetricValue value) {
    Reported report;
    report.trial = trial;
    report.attempt = study_.trial(trial).current()->number;
    report.attempt_seq = study_.trial(trial).current()->last_attempt_seq + 1;
    report.step = step;
    report.value = value;
    apply(Fact(report));
    return study_.unjudged() ? std::optional(judge()) : std::nullopt;
  }

  // The attempt ends as its last verdict says, or with `state`.
  void end(int trial, std::optional<TrialState> state = {}) {
    const Attempt& attempt = *study_.trial(trial).current();
    const TrialState meant = attempt.verdict == Verdict::pause  ? TrialState::paused
                             : attempt.verdict == Verdict::stop ? TrialState::stopped
                                                                : TrialState::completed;
    const int number = attempt.number;
    apply(Fact(AttemptEnded{trial, number, {}, {}}));
    TrialSettled settled;
    settled.trial = trial;
    settled.attempt = number;
    settled.state = state.value_or(meant);
    apply(Decision(settled));
  }

  // A running trial reports `value` at `step`, gets a verdict and ends.
  Judged finish(int trial, double step, MetricValue value) {
    const Judged judged = report(trial, step, value).value();
    end(trial);
    return judged;
  }

  // What the pruner promotes, running again.
  std::optional<Promotion> promote() {
    const auto promotion = pruner_->next(study_);
    if (!promotion) return std::nullopt;
    Promoted event;
    event.trial = promotion->trial;
    event.bracket = promotion->bracket;
    event.from = promotion->from;
    event.to = promotion->to;
    event.n = promotion->n;
    event.k = promotion->k;
    event.rank = promotion->rank;
    event.reason = promotion->reason;
    apply(Decision(event));
    start(event.trial);
    return promotion;
  }

  const StudySpec& spec() const { return spec_; }
  const Study& study() const { return study_; }
  const Sampler& sampler() const { return *sampler_; }
  const Pruner& pruner() const { return *pruner_; }
  const std::vector<Event>& log() const { return log_; }

 private:
  Judged judge() {
    const Unjudged& next = *study_.unjudged();
    Judgement judgement = pruner_->judge(study_, next.report, next.value);
    Judged judged;
    judged.trial = next.report.trial;
    judged.attempt = next.report.attempt;
    judged.attempt_seq = next.report.attempt_seq;
    judged.verdict = judgement.verdict;
    judged.milestone = judgement.milestone;
    judged.entries = std::move(judgement.entries);
    judged.reason = std::move(judgement.reason);
    apply(Decision(judged));
    return judged;
  }

  StudySpec spec_;
  Study study_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<Pruner> pruner_;
  std::vector<Event> log_;
};

}  // namespace hpsearch::testing
