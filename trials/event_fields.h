#pragma once

#include "trials/event.h"

namespace hpsearch {

// The stored names of every event's fields, in one place for writing and reading: `v(name, field)` for each.
// A changed or removed name needs a new format version of the store; a new field needs only a default.

template <typename V> void fields(V& v, Slot& e) { v("host", e.host), v("index", e.index), v("devices", e.devices), v("share", e.share); }

template <typename V> void fields(V& v, Unit& e) {
  v("id", e.id), v("model", e.model), v("memory", e.memory), v("index", e.index), v("group", e.group), v("busy", e.busy);
  v("free", e.free);
}

template <typename V> void fields(V& v, Suggestion& e) {
  v("params", e.params), v("unit", e.unit), v("method", e.method), v("reason", e.reason), v("fitted", e.fitted);
}

template <typename V> void fields(V& v, RungEntry& e) {
  v("bracket", e.bracket), v("level", e.level), v("value", e.value), v("n", e.n), v("k", e.k), v("rank", e.rank);
  v("approximate", e.approximate), v("skipped", e.skipped);
}

template <typename V> void fields(V& v, AttemptEnd& e) {
  v("kind", e.kind), v("code", e.code), v("ordered", e.ordered), v("detail", e.detail), v("log_tail", e.log_tail);
  v("out_of_memory", e.out_of_memory);
}

template <typename V> void fields(V& v, MetricValue& e) {
  v("number", e.number), v("text", e.text), v("is_number", e.is_number);
}

template <typename V> void fields(V& v, StudyCreated& e) {
  v("id", e.id), v("seed", e.seed), v("name", e.name), v("folder", e.folder), v("document", e.document);
}

template <typename V> void fields(V& v, SpecChanged& e) {
  v("document", e.document), v("folder", e.folder), v("difference", e.difference);
}

template <typename V> void fields(V& v, SessionStarted& e) {
  v("host", e.host), v("pid", e.pid), v("hosts", e.hosts), v("program", e.program);
}

template <typename V> void fields(V& v, HostSeen& e) {
  v("host", e.host), v("state", e.state), v("reason", e.reason), v("cores", e.cores), v("memory", e.memory);
  v("units", e.units), v("address", e.address);
}

template <typename V> void fields(V& v, CheckpointSaved& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("checkpoint", e.checkpoint), v("attempt_seq", e.attempt_seq);
}

template <typename V> void fields(V& v, Contended& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("text", e.text);
}

template <typename V> void fields(V& v, AttemptStarted& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("pid", e.pid);
}

template <typename V> void fields(V& v, Reported& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("attempt_seq", e.attempt_seq), v("step", e.step);
  v("value", e.value), v("other_metrics", e.other_metrics), v("checkpoint", e.checkpoint);
  v("reported_at", e.reported_at);
}

template <typename V> void fields(V& v, ReportRejected& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("attempt_seq", e.attempt_seq), v("text", e.text);
}

template <typename V> void fields(V& v, AttemptEnded& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("end", e.end), v("ended_at", e.ended_at);
}

template <typename V> void fields(V& v, Enqueued& e) { v("params", e.params); }
template <typename V> void fields(V& v, Excluded& e) { v("trial", e.trial), v("excluded", e.excluded); }
template <typename V> void fields(V& v, StopRequested& e) { v("trial", e.trial), v("now", e.now); }
template <typename V> void fields(V& v, Interrupted& e) { v("level", e.level); }
template <typename V> void fields(V& v, SessionEnded& e) { v("reason", e.reason); }

template <typename V> void fields(V& v, TrialSuggested& e) {
  v("trial", e.trial), v("suggestion", e.suggestion), v("bracket", e.bracket), v("milestone", e.milestone);
}

template <typename V> void fields(V& v, AttemptPlanned& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("id", e.id), v("slot", e.slot), v("milestone", e.milestone);
  v("resume_attempt", e.resume_attempt), v("resume_checkpoint", e.resume_checkpoint);
}

template <typename V> void fields(V& v, Judged& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("attempt_seq", e.attempt_seq), v("verdict", e.verdict);
  v("milestone", e.milestone), v("entries", e.entries), v("reason", e.reason);
}

template <typename V> void fields(V& v, Promoted& e) {
  v("trial", e.trial), v("bracket", e.bracket), v("from", e.from), v("to", e.to), v("n", e.n), v("k", e.k);
  v("rank", e.rank), v("reason", e.reason);
}

template <typename V> void fields(V& v, EndOrdered& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("order", e.order), v("reason", e.reason), v("cancel", e.cancel);
}

template <typename V> void fields(V& v, TrialSettled& e) {
  v("trial", e.trial), v("attempt", e.attempt), v("state", e.state), v("failure", e.failure), v("code", e.code);
  v("detail", e.detail), v("counts_as_retry", e.counts_as_retry);
}

template <typename V> void fields(V& v, HostOrdered& e) { v("host", e.host), v("order", e.order), v("reason", e.reason); }
template <typename V> void fields(V& v, StudyEnded& e) { v("reason", e.reason), v("exit_status", e.exit_status); }

}  // namespace hpsearch
