#include "scheduler/runner.h"

#include <algorithm>

#include "scheduler/random_hex.h"

namespace hpsearch {

namespace {

// Reports between milestones may wait this long for company in their transaction.
constexpr Span kReportDelay{40};
// Facts taken into one transaction once it holds a decision, so that verdicts do not wait for a flood of reports.
constexpr int kFactsWithDecision = 64;
constexpr int kFactsWithoutDecision = 20'000;

}  // namespace

Runner::Runner(Study& study, Policy policy, Store& store, Executor& executor, const Clock& clock, Observer observer)
    : study_(study), policy_(policy), store_(store), executor_(executor), clock_(clock), observer_(std::move(observer)) {}

void Runner::note(Fact fact) {
  record(std::move(fact), now());
  commit_and_act();
}

int Runner::run(SessionStarted session) {
  record(Fact(std::move(session)), now());
  commit_and_act();
  for (int number : study_.live()) {
    const Trial& trial = study_.trial(number);
    if (!trial.current()->ended) executor_.adopt(study_, trial, *trial.current());
  }
  take_decisions();
  commit_and_act();
  while (!over()) {
    while (gather()) {
    }
    commit_and_act();
  }
  return finish();
}

// A clock that was set back must not make the log run backwards.
Time Runner::now() const { return std::max(clock_.now(), study_.last_at()); }

// Takes one fact and its decisions into the batch. False when the batch should be saved.
bool Runner::gather() {
  std::optional<Time> deadline = next_wake(study_, clock_.now());
  if (urgent_) deadline = clock_.now();
  else if (!batch_.empty()) deadline = std::min(batch_.front().at, clock_.now()) + kReportDelay;
  std::variant<Fact, Tick> news = executor_.wait(deadline);
  const bool tick = std::holds_alternative<Tick>(news);
  if (!tick) {
    const Fact& fact = std::get<Fact>(news);
    if (!std::holds_alternative<Reported>(fact) && !std::holds_alternative<AttemptStarted>(fact)) urgent_ = true;
    record(fact, now());
  }
  take_decisions();
  const int limit = urgent_ ? kFactsWithDecision : kFactsWithoutDecision;
  return !tick && !over() && static_cast<int>(batch_.size()) < limit;
}

bool Runner::over() const {
  if (study_.ended() || detached_) return true;
  if (study_.live().empty() && study_.fleet().hopeless()) return true;
  return (study_.interruption() > 0 || study_.stop_requested()) && study_.live().empty();
}

int Runner::finish() {
  const std::optional<StudyEnded> ended = study_.ended();
  std::string reason = ended ? "finished" : detached_ ? "detached" : study_.stop_requested() ? "stopped" : "interrupted";
  if (reason == "interrupted" && study_.interruption() == 0) reason = "no host left";
  note(SessionEnded{std::move(reason)});
  return ended ? ended->exit_status : 130;
}

void Runner::record(std::variant<Fact, Decision> body, Time at) {
  if (const Fact* fact = std::get_if<Fact>(&body))
    if (const auto* word = std::get_if<Interrupted>(fact); word && word->level == 0) detached_ = true;
  batch_.push_back({study_.last_seq() + 1, at, std::move(body)});
  study_.apply(batch_.back());
  policy_.pruner.apply(study_, batch_.back());
  policy_.sampler.apply(batch_.back());
}

void Runner::take_decisions() {
  if (detached_) return;
  while (true) {
    const Time asked = now();
    std::optional<Decision> decision = next_decision(study_, policy_, asked);
    if (!decision) return;
    if (auto* plan = std::get_if<AttemptPlanned>(&*decision)) plan->id = random_hex(4);
    urgent_ = true;
    record(std::move(*decision), asked);     // It holds for then.
  }
}

void Runner::commit_and_act() {
  if (batch_.empty()) return;
  store_.append(batch_);
  for (const Event& event : batch_)
    if (const Decision* decision = std::get_if<Decision>(&event.body)) act(*decision);
  if (observer_) observer_(study_, batch_);
  batch_.clear();
  urgent_ = false;
}

void Runner::act(const Decision& decision) {
  if (const auto* plan = std::get_if<AttemptPlanned>(&decision)) executor_.start(study_, *plan);
  else if (const auto* verdict = std::get_if<Judged>(&decision)) executor_.tell(study_, *verdict);
  else if (const auto* order = std::get_if<EndOrdered>(&decision)) executor_.tell(study_, *order);
}

}  // namespace hpsearch
