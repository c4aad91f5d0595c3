#pragma once

#include <cmath>
#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "trials/event.h"
#include "trials/fleet.h"
#include "trials/spec.h"

namespace hpsearch {

struct Attempt {
  int number = 0;
  std::string id;
  Slot slot;
  std::optional<double> milestone;
  int resume_attempt = 0;
  std::string resume_checkpoint;
  std::int64_t pid = 0;
  Time planned_at{}, started_at{}, ended_at{};
  Time begun_at{}, released_at{};              // Start and end as they were learnt: by one clock.
  bool started = false, ended = false, settled = false;
  std::optional<AttemptEnd> end;
  std::uint64_t last_attempt_seq = 0;          // Highest keeper line folded: later copies are dropped.
  double last_step = 0;
  double reported_step = -1;                   // Highest step reported in this attempt; -1: none.
  std::string checkpoint;                      // Last one named by a report; durable before that report.
  std::uint64_t checkpoint_seq = 0;            // Of the last report that may have a new one.
  std::optional<std::string> saved;            // The last one that was brought here from another host,
  std::uint64_t saved_seq = 0;                 // and the report it belongs to.
  bool latest_is_saved() const { return saved && saved_seq >= checkpoint_seq; }
  std::optional<Verdict> verdict;              // pause, stop or complete once judged so.
  std::optional<EndOrdered> order;             // The strongest order given.
  bool rejected_report = false;
  std::string rejection;
  double gpus = 0;                             // GPUs, or the share of one, that it holds.
  double price_per_hour = 0;                   // Its share of its host's.
  std::string contended;                       // Who else used its GPUs; empty: nobody that was seen.
  bool out_of_memory() const { return gpus > 0 && end && !end->out_of_memory.empty(); }  // Of its GPUs.
};

// Hours from an attempt's start to its end, or to `now`.
double hours(const Attempt& attempt, Time now);

// What one elastic host's instances cost, one after the other, trials or none.
struct InstanceBill {
  double price_per_hour = 0;
  double past = 0;                             // Of those that are off again.
  std::optional<Time> since;                   // When the present one was ordered.
};

// Up to `now` where one is up.
double cost(const InstanceBill& bill, Time now);

// A trial's place among others: completed ones first, then by resource reached, then value, then number.
struct Rank {
  bool unfinished = false;
  double missing = 0;                          // Less the resource reached; 0 for completed trials, which all rank alike.
  double loss = 0;                             // The value, or less the value where it is maximized.
  int number = 0;
  auto operator<=>(const Rank&) const = default;
};

struct Trial {
  int number = 0;
  Suggestion suggestion;
  int bracket = 0;
  TrialState state = TrialState::queued;
  FailureReason failure = FailureReason::none;
  int failure_code = 0;
  std::string detail;
  std::optional<double> milestone;             // Of the next or current attempt.
  std::vector<Attempt> attempts;
  std::vector<RungEntry> rungs;                // As entered, in order.
  double resource = 0;                         // Highest step reached by accepted reports.
  std::uint64_t reports = 0;
  std::optional<MetricValue> value;            // By the study's rule; see Study::apply.
  std::optional<MetricValue> last, best;       // Raw: last report with the metric, best finite one.
  std::deque<double> recent;                   // The last `smooth` values.
  std::string closing_metrics;                 // Other metrics of the last report without a step, as JSON text.
  int retries_used = 0;
  bool excluded = false;
  bool cancel_requested = false;
  std::optional<Rank> rank;                    // As entered into the study's ranking.
  bool step_zero = false;                      // Reported a baseline.
  std::string program;                         // Fingerprint of the session that first started it.
  Seq created_seq = 0;
  Time created_at{}, settled_at{};

  bool live() const;                           // An attempt planned and not settled.
  bool succeeded() const;                      // Has a finite value and did not fail.
  const Attempt* current() const;              // The last attempt; null before the first.
  const Attempt* outgrown() const;             // The last attempt that its GPUs had too little memory for; null: none.
  const Attempt* checkpointed() const;         // The last attempt that made a checkpoint of its own, as far as reports tell.
  bool finished() const;                       // completed, stopped, failed or cancelled.
};

// A report at its attempt's milestone that waits for a verdict, with the trial's value at that report.
struct Unjudged {
  Reported report;
  double value = 0;
};

// The fold of the event log: everything that decisions are made from. Values only; copying is allowed but not cheap.
//
// A trial's value is its last accepted report that carries the metric (`trial.value: best`: the best finite one;
// `smooth`: the mean of the last ones). Accepted: from the current attempt, before a pause or stop verdict, and past
// the steps that an earlier attempt already reached; later ones are history. After `complete` a closing value counts.
class Study {
 public:
  // Folds one event. Events come in the order of their seq. BadEvent on a log that we can't have written; the study is
  // then as it was before the event.
  void apply(const Event& event);

  const StudySpec& spec() const { return *spec_; }
  const std::string& id() const { return id_; }
  std::uint64_t seed() const { return seed_; }
  Seq last_seq() const { return last_seq_; }
  bool created() const { return spec_.has_value(); }

  const std::vector<Trial>& trials() const { return trials_; }   // Number n stands at n - 1.
  const Trial& trial(int number) const { return trials_[number - 1]; }
  const Attempt* find_attempt(int trial, int attempt) const;     // Null where there is none of this number.
  const std::deque<int>& queue() const { return queue_; }        // Waiting for a slot, next first.
  const std::set<int>& live() const { return live_; }            // Trials with an unsettled attempt.
  const std::set<int>& outgrown() const { return outgrown_; }    // Those of the queue that have outgrown a place.
  const Fleet& fleet() const { return fleet_; }                  // The session's hosts.

  const Unjudged* unjudged() const { return unjudged_.empty() ? nullptr : &unjudged_.front(); }  // Oldest first.
  // A live attempt whose process has ended and whose meaning is not yet decided, oldest first: trial number.
  std::optional<int> unsettled() const { return unsettled_.empty() ? std::nullopt : std::optional(unsettled_.front()); }
  // Trials that the user asked to stop and that are not finished, by number.
  const std::set<int>& cancel_requests() const { return cancel_requests_; }
  const std::deque<Json>& enqueued() const { return enqueued_; } // User's points not yet started.

  std::int64_t count(TrialState state) const { return counts_[static_cast<int>(state)]; }
  int failures_in_a_row() const { return failures_in_a_row_; }   // Since the last success or the session's start.
  bool any_success() const { return successes_ > 0; }            // A trial that ended or paused with a finite value.
  bool any_value() const;                                        // A trial with a finite value that did not fail.
  int interruption() const { return interruption_; }             // 0, or the level asked for in this session.
  const std::optional<StopRequested>& stop_requested() const { return stop_requested_; }  // Of the whole study.
  const std::optional<StudyEnded>& ended() const { return ended_; }
  bool in_session() const { return in_session_; }
  Time last_at() const { return last_at_; }
  const std::string& program() const { return program_; }        // Fingerprint of the current session's.
  const std::string& name() const { return name_; }

  // Whether the study, as it is before it applies this report, will let it count for its trial.
  bool counts(const Reported& report) const;

  // GPU-hours and money that attempts have taken, from their start to their end, or to `now`; instances of elastic hosts cost
  // from their launch until they are off.
  double gpu_hours(Time now) const;
  double cost(Time now) const;
  const std::map<std::string, InstanceBill>& instances() const { return instances_; }  // By host.

  bool trials_left() const;                    // More may be started than there are.
  // Trials would start if there was room for them, as far as can be told without the sampler and the pruner.
  bool wants_room() const;

  // Running time summed over sessions. A session that was killed counts up to its last event.
  Span running_time(Time now) const;

  // Best trial by the rule of `best`: completed first, then by resource reached, then value, then number.
  std::optional<int> best() const { return ranking_.empty() ? std::nullopt : std::optional(ranking_.begin()->number); }
  // Whether `a` ranks before `b`; both must rank (a finite value, not excluded, not failed or cancelled).
  bool ranks_before(const Trial& a, const Trial& b) const;
  bool ranks(const Trial& trial) const;
  Rank rank_of(const Trial& trial) const;                        // Of a trial that ranks.

  // True when `a` is the better value of the metric; non-finite values are equal and worse than any finite one.
  bool better(double a, double b) const;

  const std::set<std::string>& metric_names_seen() const { return metric_names_; }  // Other than the wanted one.

 private:
  friend struct StudyFold;
  std::optional<StudySpec> spec_;
  std::string id_, name_;
  std::uint64_t seed_ = 0;
  Seq last_seq_ = 0;
  Time last_at_{};
  std::vector<Trial> trials_;
  std::deque<int> queue_;
  std::set<int> live_, outgrown_;
  Fleet fleet_;
  std::deque<Unjudged> unjudged_;
  std::deque<int> unsettled_;
  std::deque<Json> enqueued_;
  std::set<int> cancel_requests_;
  std::int64_t counts_[8] = {};
  int failures_in_a_row_ = 0;
  std::int64_t successes_ = 0;
  int interruption_ = 0;
  std::optional<StopRequested> stop_requested_;
  std::optional<StudyEnded> ended_;
  bool in_session_ = false;
  Time session_started_{};
  Span past_running_{0};
  double gpu_hours_ = 0, cost_ = 0;            // Of attempts that have ended.
  std::map<std::string, InstanceBill> instances_;
  std::string program_;
  std::set<std::string> metric_names_;
  std::set<Rank> ranking_;                     // Of every trial that ranks; the first is the best.
};

}  // namespace hpsearch
