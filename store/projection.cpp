#include "store/projection.h"

#include <algorithm>

#include "store/report_row.h"

namespace hpsearch {

namespace {

constexpr const char* kWriteTrial =
    "INSERT OR REPLACE INTO trial (number, state, failure, failure_code, detail, value, value_text, resource,"
    " milestone, bracket, reports, attempts, retries, params, method, reason, host, slot, devices, excluded, program,"
    " created, started, ended) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

constexpr const char* kWriteSummary =
    "UPDATE summary SET projected_seq = ?, spec_seq = coalesce(?, spec_seq), study_id = ?, name = ?, queued = ?,"
    " starting = ?, running = ?, paused = ?, completed = ?, stopped = ?, failed = ?, cancelled = ?, best = ?,"
    " running_ms = ?, slots = ?, slots_busy = ?, in_session = ?, interruption = ?, ended = ?, exit_status = ?";

std::optional<std::int64_t> instant(Time time) {
  return time == Time{} ? std::nullopt : std::optional<std::int64_t>(time.time_since_epoch().count());
}

bool carries_spec(const Event& event) { return event_as<StudyCreated>(event) || event_as<SpecChanged>(event); }

std::optional<Seq> spec_seq(const std::vector<Event>& batch) {
  std::optional<Seq> seq;
  for (const Event& event : batch)
    if (carries_spec(event)) seq = event.seq;
  return seq;
}

}  // namespace

std::set<int> trials_named(const std::vector<Event>& batch) {
  std::set<int> numbers;
  for (const Event& event : batch)
    if (const std::optional<int> number = trial_of(event)) numbers.insert(*number);
  return numbers;
}

Projection::Projection(Database& database)
    : database_(database), trial_(database, kWriteTrial), summary_(database, kWriteSummary) {}

void Projection::write(const Study& study, const std::vector<Event>& batch) {
  if (batch.empty() || !study.created()) return;
  const Seq before = batch.front().seq - 1;
  const bool all = std::any_of(batch.begin(), batch.end(), carries_spec);  // New parameters are in every trial.
  if (!all && static_cast<Seq>(database_.integer("SELECT projected_seq FROM summary")) == before) {
    const int count = static_cast<int>(study.trials().size());
    for (int number : trials_named(batch))
      if (number >= 1 && number <= count) write_trial(study.trial(number));
  } else {
    for (const Trial& trial : study.trials()) write_trial(trial);
  }
  write_summary(study, batch);
}

void Projection::write_trial(const Trial& trial) {
  const Attempt* last = trial.current();
  const std::optional<Slot> slot = last ? std::optional(last->slot) : std::nullopt;
  const Json devices = slot ? Json(slot->devices) : Json::array();
  trial_
      .bind(trial.number, to_string(trial.state), to_string(trial.failure), trial.failure_code, trial.detail,
            number_column(trial.value), text_column(trial.value), trial.resource, trial.milestone, trial.bracket,
            trial.reports, trial.attempts.size(), trial.retries_used, compact(trial.suggestion.params),
            trial.suggestion.method, trial.suggestion.reason, slot ? std::optional(slot->host) : std::nullopt,
            slot ? std::optional(slot->index) : std::nullopt, compact(devices), trial.excluded, trial.program,
            instant(trial.created_at), last ? instant(trial.attempts.front().started_at) : std::nullopt,
            instant(trial.settled_at))
      .run();
}

void Projection::write_summary(const Study& study, const std::vector<Event>& batch) {
  const auto count = [&](TrialState state) { return study.count(state); };
  const std::optional<StudyEnded>& ended = study.ended();
  summary_
      .bind(batch.back().seq, spec_seq(batch), study.id(), study.name(), count(TrialState::queued),
            count(TrialState::starting), count(TrialState::running), count(TrialState::paused),
            count(TrialState::completed), count(TrialState::stopped), count(TrialState::failed),
            count(TrialState::cancelled), study.best(), study.running_time(study.last_at()).count(),
            study.fleet().capacity(), study.live().size(), study.in_session(), study.interruption(),
            ended ? std::optional(ended->reason) : std::nullopt,
            ended ? std::optional(ended->exit_status) : std::nullopt)
      .run();
}

}  // namespace hpsearch
