#pragma once

#include <functional>
#include <set>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// Which checkpoint folders of a study are still worth their disk space. Kept: those of a live attempt and of the one
// it continues from; the latest of a trial that waits or may be promoted; and those of the best
// `trial.keep_checkpoints` finished trials. The others are deleted.
class CheckpointStore {
 public:
  // `discard` deletes the checkpoint folder of an attempt, wherever it lies; it may be called again for one that is gone.
  using Discard = std::function<void(const Attempt& attempt, int trial)>;
  explicit CheckpointStore(Discard discard) : discard_(std::move(discard)) {}

  // Looks at every trial: once, when a study is opened.
  void tidy_all(const Study& study);
  // Looks at a trial whose attempt has been settled.
  void tidy(const Study& study, int trial);

 private:
  void enter_ranking(const Study& study, const Trial& trial);
  void drop(const Trial& trial, const std::set<int>& kept) const;

  Discard discard_;
  std::vector<int> best_;  // The best finished trials, best first.
};

// The attempts of a trial whose checkpoints must stay; `ranked` when it is among the best.
std::set<int> kept_attempts(const Trial& trial, bool ranked);

}  // namespace hpsearch
