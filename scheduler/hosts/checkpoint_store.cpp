#include "scheduler/hosts/checkpoint_store.h"

#include <algorithm>

namespace hpsearch {

namespace {

void keep_last_saved(const Trial& trial, const Attempt& before, std::set<int>& kept) {
  for (int number = before.number - 1; number >= 1; --number)
    if (trial.attempts[number - 1].saved) {
      kept.insert(number);
      return;
    }
}

}  // namespace

std::set<int> kept_attempts(const Trial& trial, bool ranked) {
  if (trial.attempts.empty() || (trial.finished() && !ranked)) return {};
  std::set<int> kept;
  if (const Attempt* latest = trial.checkpointed()) {
    kept.insert(latest->number);
    // Its host may go before the latest has come home: then the one before counts.
    if (!latest->latest_is_saved()) keep_last_saved(trial, *latest, kept);
  }
  if (trial.live()) kept.insert({trial.current()->number, trial.current()->resume_attempt});
  return kept;
}

void CheckpointStore::tidy_all(const Study& study) {
  best_.clear();
  for (const Trial& trial : study.trials())
    if (trial.finished()) enter_ranking(study, trial);
  for (const Trial& trial : study.trials())
    drop(trial, kept_attempts(trial, std::count(best_.begin(), best_.end(), trial.number) > 0));
}

void CheckpointStore::tidy(const Study& study, int number) {
  const Trial& trial = study.trial(number);
  const std::vector<int> before = best_;
  if (trial.finished()) enter_ranking(study, trial);
  drop(trial, kept_attempts(trial, std::count(best_.begin(), best_.end(), number) > 0));
  for (int other : before)
    if (std::count(best_.begin(), best_.end(), other) == 0) drop(study.trial(other), {});
}

void CheckpointStore::enter_ranking(const Study& study, const Trial& trial) {
  std::erase(best_, trial.number);
  if (!study.ranks(trial)) return;
  const auto place = std::find_if(best_.begin(), best_.end(),
                                  [&](int other) { return study.ranks_before(trial, study.trial(other)); });
  best_.insert(place, trial.number);
  if (static_cast<int>(best_.size()) > study.spec().trial.keep_checkpoints) best_.pop_back();
}

void CheckpointStore::drop(const Trial& trial, const std::set<int>& kept) const {
  for (const Attempt& attempt : trial.attempts)
    if (!kept.contains(attempt.number)) discard_(attempt, trial.number);
}

}  // namespace hpsearch
