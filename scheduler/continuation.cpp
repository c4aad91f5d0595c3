#include "scheduler/continuation.h"

namespace hpsearch {

namespace {

enum class Reach { here, up, away, gone };

Reach reach(const Fleet& fleet, const Attempt& attempt) {
  const FleetHost* host = fleet.find(attempt.slot.host);
  if (!host || fleet.replaced(attempt.slot.host, attempt.planned_at)) return Reach::gone;
  if (host->spec.kind == HostKind::local || host->spec.kind == HostKind::slurm) return Reach::here;
  switch (host->seen.state) {
    case HostState::up: return Reach::up;
    case HostState::connecting:
    case HostState::unreachable: return Reach::away;
    case HostState::releasing: return host->stuck ? Reach::gone : Reach::away;  // What is on its way home may still arrive.
    case HostState::off:
    case HostState::launching:
    case HostState::lost:
    case HostState::refused: return Reach::gone;
  }
  return Reach::gone;
}

// As Trial::checkpointed judges.
bool has_checkpoint(const Attempt& attempt) {
  return !attempt.checkpoint.empty() || (attempt.reported_step > 0 && attempt.resume_checkpoint.empty());
}

bool given_up(const Attempt& attempt) { return attempt.end && attempt.end->kind == EndKind::lost; }

}  // namespace

std::optional<Continuation> continuation(const Study& study, const Trial& trial) {
  if (!study.spec().trial.checkpoint) return Continuation{};
  for (auto attempt = trial.attempts.rbegin(); attempt != trial.attempts.rend(); ++attempt) {
    if (!has_checkpoint(*attempt)) continue;
    const Reach where = reach(study.fleet(), *attempt);
    if (where == Reach::here || (where == Reach::up && !given_up(*attempt)) || attempt->latest_is_saved())
      return Continuation{attempt->number, attempt->checkpoint, attempt->slot.host};
    if (where == Reach::away && !given_up(*attempt)) return std::nullopt;
    if (where == Reach::up && !attempt->saved) return Continuation{attempt->number, attempt->checkpoint, attempt->slot.host};
    if (attempt->saved) return Continuation{attempt->number, *attempt->saved, attempt->slot.host};
  }
  return Continuation{};
}

}  // namespace hpsearch
