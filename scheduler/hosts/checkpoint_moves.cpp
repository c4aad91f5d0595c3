#include "scheduler/hosts/checkpoint_moves.h"

#include <algorithm>
#include <utility>

#include "scheduler/clock.h"
#include "scheduler/hosts/checkpoint_mirror.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

void CheckpointMoves::start(const Study& study, const AttemptPlanned& plan) {
  const Attempt* from = study.find_attempt(plan.trial, plan.resume_attempt);
  // What lies there may be torn, or there is another machine by now.
  const bool given_up = from && from->saved && ((from->end && from->end->kind == EndKind::lost) || study.fleet().replaced(from->slot.host, from->planned_at));
  if (!from || (from->slot.host == plan.slot.host && !given_up)) return hosts_.find(study, plan.slot.host)->start(study, plan);
  if (hosts_.remote(study, from->slot.host) && !given_up && !from->latest_is_saved()) return bring_home(study, plan, *from);
  send_on(study, plan);
}

bool CheckpointMoves::from(const Study& study, const std::string& host) const {
  return std::any_of(moves_.begin(), moves_.end(), [&](const auto& move) {
    const Attempt* from = study.find_attempt(move.second.plan.trial, move.second.plan.resume_attempt);
    return from && from->slot.host == host;
  });
}

std::string CheckpointMoves::path_there(const RemoteHost& host, const AttemptPlanned& plan) const {
  return attempt_folder(host.study_path(), plan.trial, plan.resume_attempt).checkpoint();
}

std::string CheckpointMoves::path_here(const AttemptPlanned& plan) const {
  return attempt_folder(folder_, plan.trial, plan.resume_attempt).checkpoint();
}

void CheckpointMoves::bring_home(const Study& study, const AttemptPlanned& plan, const Attempt& attempt) {
  RemoteHost& from = *hosts_.remote(study, attempt.slot.host);
  auto order = checkpoint_order(path_there(from, plan), plan.resume_checkpoint, path_here(plan));
  copy(plan, from, hosts_.home(), std::move(order), [this, &study, plan, seq = attempt.checkpoint_seq] {
    facts_.push(CheckpointSaved{plan.trial, plan.resume_attempt, plan.resume_checkpoint, seq});
    send_on(study, plan);
  });
}

void CheckpointMoves::send_on(const Study& study, const AttemptPlanned& plan) {
  const auto start = [this, &study, plan] {
    moved(plan.trial);
    hosts_.find(study, plan.slot.host)->start(study, plan);
  };
  RemoteHost* const to = hosts_.remote(study, plan.slot.host);
  if (!to) return start();
  copy(plan, hosts_.home(), *to, checkpoint_order(path_here(plan), plan.resume_checkpoint, path_there(*to, plan)), start);
}

// The copy that has just been made is still at work.
void CheckpointMoves::moved(int trial) {
  if (auto move = moves_.extract(trial)) copied_.push_back(std::move(move.mapped().copy));
}

void CheckpointMoves::copy(const AttemptPlanned& plan, FileDesk& from, FileDesk& to, TreeCopy::Order order, std::function<void()> then) {
  moved(plan.trial);
  moves_[plan.trial] = {plan, nullptr};
  moves_[plan.trial].copy = std::make_unique<TreeCopy>(from, to, std::move(order),
      [this, plan, then = std::move(then)](const std::string& fault, const FileTree&) {
        if (!moves_.contains(plan.trial)) return;  // Told to end meanwhile.
        if (fault.empty()) return then();
        moved(plan.trial);
        const bool away = fault.find("unreachable") != std::string::npos;  // Else it would fail again at once.
        facts_.push(ended_fact({plan.trial, plan.attempt}, {{away ? EndKind::lost : EndKind::launch_failed, 0, false,
                                                             "its checkpoint can't be moved: " + fault, ""}, SystemClock().now()}));
      });
}

}  // namespace hpsearch
