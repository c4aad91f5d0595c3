#include <algorithm>
#include <cmath>

#include "trials/study.h"

namespace hpsearch {

// How each event changes a study: one overload an event, so that a new event does not compile until it is folded.
struct StudyFold {
  Study& study;
  const Event& event;

  Trial& trial_of(int number) {
    return study.trials_[number - 1];
  }

  void require(bool holds, const std::string& otherwise) const {
    if (!holds) throw BadEvent("event " + std::to_string(event.seq) + " " + otherwise);
  }

  // What every event must keep to; the rest is checked where it matters.
  void check() const {
    const bool begins = event_as<StudyCreated>(event) != nullptr;
    require(begins != study.created(), begins ? "begins the study again" : "comes before the study's beginning");
    const std::optional<int> number = hpsearch::trial_of(event);
    const int known = static_cast<int>(study.trials_.size()) + (event_as<TrialSuggested>(event) ? 1 : 0);
    require(!number || (*number >= 1 && *number <= known), "names trial " + std::to_string(number.value_or(0)));
  }

  // The attempt, if it is its trial's current one and unsettled: news of older ones is dropped.
  Attempt* live_attempt(int trial, int attempt) {
    if (trial < 1 || trial > static_cast<int>(study.trials_.size())) return nullptr;
    std::vector<Attempt>& attempts = trial_of(trial).attempts;
    if (attempts.empty() || attempts.back().number != attempt || attempts.back().settled) return nullptr;
    return &attempts.back();
  }

  void set_state(Trial& trial, TrialState state) {
    --study.counts_[static_cast<int>(trial.state)];
    ++study.counts_[static_cast<int>(state)];
    trial.state = state;
    if (state == TrialState::queued && trial.outgrown()) study.outgrown_.insert(trial.number);
    else study.outgrown_.erase(trial.number);
    study.fleet_.keep_whole(study.outgrown_.size());
  }

  // Keeps the ranking right after `trial` changed.
  void changed(Trial& trial) {
    if (trial.rank) study.ranking_.erase(*trial.rank);
    trial.rank = study.ranks(trial) ? std::optional(study.rank_of(trial)) : std::nullopt;
    if (trial.rank) study.ranking_.insert(*trial.rank);
  }

  // ---- Facts ---------------------------------------------------------------------------------------------------

  void operator()(const StudyCreated& e) {
    study.spec_ = parse_spec_document(e.document, e.name, e.folder);
    study.id_ = e.id;
    study.name_ = e.name;
    study.seed_ = e.seed;
    study.enqueued_.assign(study.spec_->enqueue.begin(), study.spec_->enqueue.end());
  }

  void operator()(const SpecChanged& e) {
    const Space before = std::move(study.spec_->space);
    study.spec_ = parse_spec_document(e.document, study.name_, e.folder);
    for (Trial& trial : study.trials_)
      trial.suggestion.params = study.spec_->space.carried_over(trial.suggestion.params, before);
  }

  void operator()(const SessionStarted& e) {
    if (study.in_session_) study.past_running_ += study.last_at_ - study.session_started_;  // It was killed.
    study.in_session_ = true;
    study.session_started_ = event.at;
    study.interruption_ = 0;
    study.stop_requested_.reset();
    study.ended_.reset();
    study.failures_in_a_row_ = 0;
    study.program_ = e.program;
    study.fleet_.begin(*study.spec_, event.at);
    for (const HostSeen& host : e.hosts) study.fleet_.see(host, event.at);
  }

  void operator()(const HostSeen& e) {
    study.fleet_.see(e, event.at);
    const auto bill = study.instances_.find(e.host);
    if (e.state != HostState::off || bill == study.instances_.end()) return;
    bill->second.past = cost(bill->second, event.at);
    bill->second.since.reset();
  }

  void operator()(const AttemptStarted& e) {
    Attempt* attempt = live_attempt(e.trial, e.attempt);
    if (!attempt || attempt->started) return;
    attempt->started = true;
    attempt->pid = e.pid;
    attempt->started_at = event.at;
    attempt->begun_at = event.at;
    set_state(trial_of(e.trial), TrialState::running);
  }

  void operator()(const Reported& e) {
    Attempt* attempt = live_attempt(e.trial, e.attempt);
    if (!attempt || e.attempt_seq <= attempt->last_attempt_seq) return;
    const bool counts = study.counts(e);
    attempt->last_attempt_seq = e.attempt_seq;
    if (!e.checkpoint.empty()) attempt->checkpoint = e.checkpoint;
    if (!e.checkpoint.empty() || attempt->checkpoint.empty()) attempt->checkpoint_seq = e.attempt_seq;
    if (e.step) attempt->reported_step = std::max(attempt->reported_step, *e.step);
    Trial& trial = trial_of(e.trial);
    ++trial.reports;
    if (!e.step && !e.other_metrics.empty()) trial.closing_metrics = e.other_metrics;
    if (!e.value) return note_names(trial, e.other_metrics);
    if (e.step && *e.step <= 0) trial.step_zero = true;
    if (!counts) return;
    take_value(trial, *e.value);
    if (e.step) trial.resource = *e.step;
    changed(trial);
    if (e.step && attempt->milestone && *e.step >= *attempt->milestone && !attempt->verdict)
      study.unjudged_.push_back({e, trial.value->finite() ? trial.value->number : std::nan("")});
  }

  void take_value(Trial& trial, const MetricValue& value) {
    trial.last = value;
    if (value.finite() && (!trial.best || study.better(value.number, trial.best->number))) trial.best = value;
    const std::size_t smooth = study.spec_->metric().smooth;
    trial.recent.push_back(value.number);
    if (trial.recent.size() > smooth) trial.recent.pop_front();
    if (study.spec_->trial.value == ValueRule::best && trial.best) trial.value = trial.best;
    else if (smooth <= 1 || !value.finite()) trial.value = value;
    else trial.value = mean(trial.recent);
  }

  static MetricValue mean(const std::deque<double>& values) {
    double sum = 0;
    int n = 0;
    for (double value : values)
      if (std::isfinite(value)) sum += value, ++n;
    return sum / n;
  }

  // For the message of a study whose metric never comes.
  void note_names(const Trial& trial, const std::string& other_metrics) {
    if (trial.value || study.metric_names_.size() >= 50 || other_metrics.empty()) return;
    const Json others = Json::parse(other_metrics, nullptr, false);
    for (auto it = others.begin(); it != others.end(); ++it) study.metric_names_.insert(it.key());
  }

  void operator()(const ReportRejected& e) {
    Attempt* attempt = live_attempt(e.trial, e.attempt);
    if (!attempt || e.attempt_seq <= attempt->last_attempt_seq) return;
    attempt->last_attempt_seq = e.attempt_seq;
    if (attempt->verdict) return;  // History, as reports are then.
    attempt->rejected_report = true;
    attempt->rejection = e.text;
  }

  void operator()(const AttemptEnded& e) {
    Attempt* attempt = live_attempt(e.trial, e.attempt);
    if (!attempt || attempt->ended) return;
    attempt->ended = true;
    attempt->end = e.end;
    attempt->ended_at = e.ended_at;
    attempt->released_at = event.at;
    study.gpu_hours_ += attempt->gpus * hours(*attempt, event.at);
    study.cost_ += attempt->price_per_hour * hours(*attempt, event.at);
    study.unsettled_.push_back(e.trial);
  }

  // Also after the attempt's end: it is then that the last one comes.
  void operator()(const CheckpointSaved& e) {
    std::vector<Attempt>& attempts = trial_of(e.trial).attempts;
    if (e.attempt >= 1 && e.attempt <= static_cast<int>(attempts.size())) save(attempts[e.attempt - 1], e);
  }

  static void save(Attempt& attempt, const CheckpointSaved& e) {
    attempt.saved = e.checkpoint;
    attempt.saved_seq = e.attempt_seq;
  }

  void operator()(const Contended& e) {
    if (Attempt* attempt = live_attempt(e.trial, e.attempt)) attempt->contended = e.text;
  }

  void operator()(const Enqueued& e) { study.enqueued_.push_back(e.params); }

  void operator()(const Excluded& e) {
    trial_of(e.trial).excluded = e.excluded;
    changed(trial_of(e.trial));
  }

  void operator()(const StopRequested& e) {
    if (!e.trial) study.stop_requested_ = e;
    else if (!trial_of(*e.trial).finished()) {
      trial_of(*e.trial).cancel_requested = true;
      study.cancel_requests_.insert(*e.trial);
    }
  }

  void operator()(const Interrupted& e) { study.interruption_ = std::max(study.interruption_, e.level); }

  void operator()(const SessionEnded&) {
    study.past_running_ += event.at - study.session_started_;
    study.in_session_ = false;
  }

  // ---- Decisions -----------------------------------------------------------------------------------------------

  void operator()(const TrialSuggested& e) {
    require(e.trial == static_cast<int>(study.trials_.size()) + 1, "is out of turn");
    Trial trial;
    trial.number = e.trial;
    trial.suggestion = e.suggestion;
    trial.bracket = e.bracket;
    trial.milestone = e.milestone;
    trial.created_seq = event.seq;
    trial.created_at = event.at;
    if (!study.enqueued_.empty()) study.enqueued_.pop_front();  // Served, or given up as no point of the space.
    study.trials_.push_back(std::move(trial));
    ++study.counts_[static_cast<int>(TrialState::queued)];
    study.queue_.push_back(e.trial);
  }

  void operator()(const AttemptPlanned& e) {
    Trial& trial = trial_of(e.trial);
    require(!trial.live() && e.attempt == static_cast<int>(trial.attempts.size()) + 1, "names attempt " + std::to_string(e.attempt));
    std::erase(study.queue_, e.trial);
    Attempt attempt;
    attempt.number = e.attempt;
    attempt.id = e.id;
    attempt.slot = e.slot;
    attempt.milestone = e.milestone;
    attempt.resume_attempt = e.resume_attempt;
    attempt.resume_checkpoint = e.resume_checkpoint;
    attempt.planned_at = event.at;
    attempt.gpus = study.fleet_.gpus_of(e.slot);
    attempt.price_per_hour = study.fleet_.price_of(e.slot);
    if (trial.attempts.empty()) trial.program = study.program_;
    trial.attempts.push_back(std::move(attempt));
    study.live_.insert(e.trial);
    study.fleet_.occupy(e.slot);
    set_state(trial, TrialState::starting);
  }

  void operator()(const Judged& e) {
    Trial& trial = trial_of(e.trial);
    require(trial.live() && !study.unjudged_.empty(), "judges nothing");
    Attempt& attempt = trial.attempts.back();
    trial.rungs.insert(trial.rungs.end(), e.entries.begin(), e.entries.end());
    if (e.verdict != Verdict::go_on) attempt.verdict = e.verdict;
    attempt.milestone = e.milestone;
    trial.milestone = e.milestone;
    study.unjudged_.pop_front();
    std::erase_if(study.unjudged_, [&](const Unjudged& other) {
      return other.report.trial == e.trial &&
             (attempt.verdict || !attempt.milestone || *other.report.step < *attempt.milestone);
    });
  }

  void operator()(const Promoted& e) {
    Trial& trial = trial_of(e.trial);
    require(trial.state == TrialState::paused, "promotes a trial that is not paused");
    trial.milestone = e.to;
    set_state(trial, TrialState::queued);
    study.queue_.push_back(e.trial);
  }

  void operator()(const EndOrdered& e) {
    Attempt* attempt = live_attempt(e.trial, e.attempt);
    if (!attempt) return;
    EndOrdered strongest = e;
    if (attempt->order) {
      strongest.order = std::max(e.order, attempt->order->order);
      strongest.cancel = e.cancel || attempt->order->cancel;
    }
    attempt->order = strongest;
  }

  void operator()(const TrialSettled& e) {
    Trial& trial = trial_of(e.trial);
    if (trial.live()) release(trial);
    else std::erase(study.queue_, e.trial);
    set_state(trial, e.state);
    trial.failure = e.failure;
    trial.failure_code = e.code;
    trial.detail = e.detail;
    trial.settled_at = event.at;
    if (e.counts_as_retry) ++trial.retries_used;
    if (e.state == TrialState::queued) study.queue_.push_back(e.trial);
    if (trial.finished()) study.cancel_requests_.erase(e.trial);
    count_failures(trial);
    tell_fleet(trial, e);
    changed(trial);
  }

  // What says something of the host: not that a trial diverged, or was told to end.
  void tell_fleet(const Trial& trial, const TrialSettled& e) {
    if (!trial.current() || trial.failure == FailureReason::diverged) return;
    if (trial.current()->end && trial.current()->end->kind == EndKind::lost) return;  // A cut or a reboot, of all its trials at once.
    if (e.counts_as_retry || e.state == TrialState::failed) study.fleet_.ended(trial.current()->slot.host, true);
    else if (e.state != TrialState::queued && trial.succeeded()) study.fleet_.ended(trial.current()->slot.host, false);
  }

  void release(Trial& trial) {
    Attempt& attempt = trial.attempts.back();
    attempt.settled = true;
    study.live_.erase(trial.number);
    std::erase(study.unsettled_, trial.number);
    std::erase_if(study.unjudged_, [&](const Unjudged& u) { return u.report.trial == trial.number; });
    study.fleet_.release(attempt.slot, event.at);
  }

  void count_failures(const Trial& trial) {
    if (trial.state == TrialState::failed && trial.failure != FailureReason::diverged) ++study.failures_in_a_row_;
    if (trial.state == TrialState::queued || !trial.succeeded()) return;
    ++study.successes_;
    study.failures_in_a_row_ = 0;
  }

  void operator()(const HostOrdered& e) {
    study.fleet_.order(e, event.at);
    const FleetHost* host = study.fleet_.find(e.host);
    if (e.order != HostOrder::launch || !host) return;
    InstanceBill& bill = study.instances_[e.host];
    bill.price_per_hour = host->spec.price_per_hour.value_or(0);
    bill.since = event.at;
  }

  void operator()(const StudyEnded& e) { study.ended_ = e; }
};

void Study::apply(const Event& event) {
  StudyFold fold{*this, event};
  fold.require(event.seq == last_seq_ + 1, "does not follow event " + std::to_string(last_seq_));
  fold.check();
  last_seq_ = event.seq;
  std::visit([&](const auto& group) { std::visit(fold, group); }, event.body);
  last_at_ = event.at;
}

}  // namespace hpsearch
