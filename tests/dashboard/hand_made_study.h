#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/here.h"
#include "trials/spec.h"
#include "trials/study.h"

namespace hpsearch::testing {

// A study whose events the test writes by hand, one second apart.
class HandMadeStudy {
 public:
  explicit HandMadeStudy(const std::string& space, int slots = 4) {
    const StudySpec spec = parse_spec(space, "cnn.json");
    add(Fact(StudyCreated{"0123", 7, spec.name, spec.folder, spec.document}));
    SessionStarted session{"here", 42, {}, "mark"};
    session.hosts = {here(slots)};
    add(Fact(session));
  }

  void add(std::variant<Fact, Decision> body) {
    events_.push_back({study_.last_seq() + 1, Time(Span(1000 * static_cast<std::int64_t>(events_.size()))), std::move(body)});
    study_.apply(events_.back());
  }

  int suggest(Json params, std::optional<double> milestone = {}) {
    const int number = static_cast<int>(study_.trials().size()) + 1;
    add(Decision(TrialSuggested{number, {std::move(params), {}, "random", "drawn", nullptr}, 0, milestone}));
    return number;
  }

  void start(int trial) {
    AttemptPlanned plan;
    plan.trial = trial;
    plan.attempt = static_cast<int>(study_.trial(trial).attempts.size()) + 1;
    plan.slot = *study_.fleet().place("", "");
    plan.milestone = study_.trial(trial).milestone;
    add(Decision(plan));
    add(Fact(AttemptStarted{trial, plan.attempt, 1000 + trial}));
  }

  int launch(Json params, std::optional<double> milestone = {}) {
    const int number = suggest(std::move(params), milestone);
    start(number);
    return number;
  }

  void report(int trial, std::optional<double> step, std::optional<MetricValue> value, std::string others = "") {
    const Attempt& attempt = *study_.trial(trial).current();
    Reported report;
    report.trial = trial;
    report.attempt = attempt.number;
    report.attempt_seq = attempt.last_attempt_seq + 1;
    report.step = step;
    report.value = std::move(value);
    report.other_metrics = std::move(others);
    report.reported_at = study_.last_at();
    add(Fact(report));
  }

  void judge(int trial, Verdict verdict, std::vector<RungEntry> entries, std::string reason,
             std::optional<double> milestone = {}) {
    Judged judged;
    judged.trial = trial;
    judged.attempt = study_.trial(trial).current()->number;
    judged.verdict = verdict;
    judged.entries = std::move(entries);
    judged.reason = std::move(reason);
    judged.milestone = milestone;
    add(Decision(judged));
  }

  void end(int trial, TrialState state, AttemptEnd how = {}, FailureReason failure = FailureReason::none,
           std::string detail = "") {
    const int attempt = study_.trial(trial).current()->number;
    add(Fact(AttemptEnded{trial, attempt, how, study_.last_at()}));
    add(Decision(TrialSettled{trial, attempt, state, failure, how.code, std::move(detail), false}));
  }

  // A whole trial with one report.
  int finished(Json params, MetricValue value, TrialState state = TrialState::completed, double step = 27) {
    const int trial = launch(std::move(params));
    report(trial, step, std::move(value));
    end(trial, state);
    return trial;
  }

  int failed(Json params, int code, std::string detail = "") {
    const int trial = launch(std::move(params));
    end(trial, TrialState::failed, {EndKind::exited, code, false, "", "last words\n"}, FailureReason::exit, std::move(detail));
    return trial;
  }

  const Study& study() const { return study_; }
  const std::vector<Event>& events() const { return events_; }
  std::vector<Event> last_events(std::size_t count) const { return {events_.end() - static_cast<std::ptrdiff_t>(count), events_.end()}; }

  // Visits the log as a reader does: each event with the fold of those before it.
  template <typename Visit>
  void replay(Visit visit) const {
    Study before;
    for (const Event& event : events_) {
      visit(before, event);
      before.apply(event);
    }
  }

 private:
  Study study_;
  std::vector<Event> events_;
};

// A space with choices that need quoting and a parameter that is not always active; maximize, epochs 1 to 27.
inline Json odd_point(int z) { return {{"k", "é"}, {"z", z}}; }

inline const char* kOddSpace = R"({
  "study": "cnn", "command": ["true", "{args}"], "metric": {"name": "acc", "goal": "maximize"},
  "params": {"k": ["a,b", "q\"q", "l1\nl2", "=1+1", "é", "ok"],
             "m": {"type": "float", "low": 0, "high": 1, "when": {"k": "ok"}},
             "z": {"type": "int", "low": 1, "high": 9223372036854775807}},
  "resource": {"name": "epoch", "min": 1, "max": 27}, "search": {"sampler": "random", "pruner": "asha"},
  "limits": {"trials": 10, "time": "2h"}})";

}  // namespace hpsearch::testing
