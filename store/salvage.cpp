#include "store/salvage.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <type_traits>

namespace hpsearch {

namespace {

constexpr const char* kLost = "events lost to damage of the study's file";

// Whether an event can follow in a log: one overload for each event that builds on others.
struct Fits {
  const Study& study;

  const Trial* trial(int number) const {
    return number >= 1 && number <= static_cast<int>(study.trials().size()) ? &study.trial(number) : nullptr;
  }
  template <typename E>
  bool live(const E& e) const {
    const Trial* t = trial(e.trial);
    return t && t->live() && t->current()->number == e.attempt;
  }

  bool operator()(const StudyCreated&) const { return !study.created(); }
  bool operator()(const SpecChanged&) const { return true; }
  bool operator()(const SessionStarted&) const { return true; }
  bool operator()(const HostSeen&) const { return true; }
  bool operator()(const AttemptStarted& e) const { return live(e); }
  bool operator()(const Reported& e) const { return trial(e.trial); }  // Late ones are history.
  bool operator()(const ReportRejected& e) const { return trial(e.trial); }
  bool operator()(const AttemptEnded& e) const { return trial(e.trial); }
  bool operator()(const CheckpointSaved& e) const { return trial(e.trial); }
  bool operator()(const Contended& e) const { return trial(e.trial); }
  bool operator()(const Enqueued&) const { return true; }
  bool operator()(const Excluded& e) const { return trial(e.trial); }
  bool operator()(const StopRequested& e) const { return !e.trial || trial(*e.trial); }
  bool operator()(const Interrupted&) const { return true; }
  bool operator()(const SessionEnded&) const { return study.in_session(); }
  bool operator()(const TrialSuggested& e) const { return e.trial == static_cast<int>(study.trials().size()) + 1; }
  bool operator()(const AttemptPlanned& e) const {
    const Trial* t = trial(e.trial);
    return t && !t->live() && !t->finished() && e.attempt == static_cast<int>(t->attempts.size()) + 1;
  }
  bool operator()(const Judged& e) const {
    const Unjudged* waiting = study.unjudged();
    return live(e) && waiting && waiting->report.trial == e.trial && waiting->report.attempt_seq == e.attempt_seq;
  }
  bool operator()(const Promoted& e) const { return trial(e.trial) && trial(e.trial)->state == TrialState::paused; }
  bool operator()(const EndOrdered& e) const { return trial(e.trial); }
  bool operator()(const TrialSettled& e) const {
    const Trial* t = trial(e.trial);
    return t && !t->finished() && (e.attempt == 0 || (!t->attempts.empty() && t->current()->number == e.attempt));
  }
  bool operator()(const HostOrdered&) const { return true; }
  bool operator()(const StudyEnded&) const { return true; }
};

class Salvage {
 public:
  Salvaged run(std::vector<Event> readable) {
    if (readable.empty() || event_kind(readable.front().body) != "study_created")
      throw std::invalid_argument("the first event of the study is lost");
    most_trials_ = static_cast<int>(readable.size());
    for (Event& event : readable) take(std::move(event));
    // Whatever else they did is lost, and their checkpoints stay with the damaged study.
    for (int number = 1; number <= static_cast<int>(out_.study.trials().size()); ++number)
      if (!out_.study.trial(number).finished()) cut(number);
    return std::move(out_);
  }

 private:
  void take(Event event) {
    at_ = event.at;
    const std::optional<int> number = trial_of(event);
    if (number && (*number < 1 || *number > most_trials_ || cut_.count(*number))) return drop();
    if (number) fill_up_to(*number, event);
    if (event_kind(event.body) == "judged") cut_unjudged(*number);
    if (visit_event(Fits{out_.study}, event)) return apply(std::move(event.body));
    drop();
    if (number) cut(*number);
  }

  // Trials whose suggestion is lost keep their numbers, which name folders.
  void fill_up_to(int number, const Event& event) {
    const bool suggestion = event_kind(event.body) == "trial_suggested";
    while (static_cast<int>(out_.study.trials().size()) < (suggestion ? number - 1 : number)) {
      TrialSuggested empty{static_cast<int>(out_.study.trials().size()) + 1, {}, 0, std::nullopt};
      empty.suggestion.method = "lost";
      empty.suggestion.reason = kLost;
      empty.suggestion.unit.resize(searched());
      apply(Decision(empty));
      cut(empty.trial);
    }
  }

  std::size_t searched() const {
    const auto& params = out_.study.spec().space.params;
    return std::count_if(params.begin(), params.end(),
                         [](const Param& param) { return !std::holds_alternative<FixedDomain>(param.domain); });
  }

  // Verdicts come in the order of their reports: reports that are passed over have lost theirs.
  void cut_unjudged(int number) {
    while (const Unjudged* waiting = out_.study.unjudged()) {
      if (waiting->report.trial == number) return;
      cut(waiting->report.trial);
    }
  }

  void cut(int number) {
    if (number > static_cast<int>(out_.study.trials().size()) || !cut_.insert(number).second) return;
    ++out_.lost_trials;
    const Trial& trial = out_.study.trial(number);
    if (trial.finished()) return;
    TrialSettled end;
    end.trial = number;
    end.attempt = trial.attempts.empty() ? 0 : trial.current()->number;
    end.state = TrialState::cancelled;
    end.detail = kLost;
    apply(Decision(end));
  }

  void apply(std::variant<Fact, Decision> body) {
    Event event{out_.study.last_seq() + 1, at_, std::move(body)};
    out_.study.apply(event);
    out_.events.push_back(std::move(event));
  }

  void drop() { ++out_.dropped; }

  Salvaged out_;
  Time at_{};
  int most_trials_ = 0;
  std::set<int> cut_;
};

}  // namespace

Salvaged salvage(std::vector<Event> readable) { return Salvage().run(std::move(readable)); }

}  // namespace hpsearch
