#include "cli/study_summary_view.h"

#include "dashboard/spending_view.h"
#include "scheduler/clock.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

StudyPhase phase_of(const StudySummary& summary) {
  if (summary.holder) return StudyPhase::running;
  if (summary.ended) return StudyPhase::finished;
  return summary.slots > 0 ? StudyPhase::interrupted : StudyPhase::not_started;
}

void add_spec(StudyStatus& status, const StudySpec& spec) {
  status.metric = spec.metric().name;
  status.goal = spec.maximize() ? "maximize" : "minimize";
  status.resource = spec.resource ? spec.resource->name : "";
  status.trial_limit = spec.limits.trials;
  status.time_limit = spec.limits.time;
  status.spends = hpsearch::spends(spec);
}

StudyStatus status_of(const StudySummary& summary, const std::filesystem::path& folder) {
  StudyStatus status;
  status.name = summary.name;
  status.folder = folder.string();
  status.phase = phase_of(summary);
  status.killed = summary.in_session && !summary.holder;
  if (summary.holder) status.holder = {summary.holder->pid, summary.holder->host, summary.holder->since};
  status.ended = summary.ended;
  status.counts = summary.counts;
  if (summary.best) status.best = view_of(*summary.best);
  status.slots = summary.slots;
  status.slots_busy = summary.slots_busy;
  status.running_time = summary.running_time;
  if (summary.holder && summary.in_session)
    status.running_time += std::max(Span(0), SystemClock().now() - summary.last_at);
  add_spec(status, parse_spec_document(summary.document, summary.name, summary.folder));
  return status;
}

}  // namespace

TrialView view_of(const TrialRow& row) {
  TrialView view;
  view.number = row.number;
  view.state = row.state;
  view.failure = row.failure;
  view.failure_code = row.failure_code;
  view.detail = row.detail;
  view.value = row.value;
  view.resource = row.resource;
  view.reports = row.reports;
  view.attempts = row.attempts;
  view.retries = row.retries;
  view.bracket = row.bracket;
  view.params = row.params;
  view.method = row.method;
  view.slot = row.slot;
  view.excluded = row.excluded;
  view.program = row.program;
  view.created = row.created;
  view.started = row.started;
  if (view.state >= TrialState::completed) view.ended = row.ended;
  return view;
}

StudyStatus read_status(const std::filesystem::path& folder) {
  const StudySummary summary = read_summary(folder / "study.db");
  if (summary.document.is_null()) throw UserError("study " + folder.filename().string() + " is empty: it was never begun");
  return status_of(summary, folder);
}

}  // namespace hpsearch
