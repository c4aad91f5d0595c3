#pragma once

#include <limits>
#include <memory>

#include "scheduler/decide.h"
#include "store/store.h"

namespace hpsearch {

// The sampler and pruner that a study's spec names, with their state folded from its log.
struct OwnedPolicy {
  std::unique_ptr<Sampler> sampler;
  std::unique_ptr<Pruner> pruner;
  Json reads = nullptr;  // What samplers and pruners read of the spec that this policy was made from.

  Policy view() const { return {*sampler, *pruner}; }
  void apply(const Study& study, const Event& event);
  // Whether a policy is to be folded anew after `event`, which `study` has seen: at the start, and when something that
  // samplers or pruners read has changed. More trials or hosts change nothing for them.
  bool outdated_by(const Study& study, const Event& event) const;
};

// Folds a stored log into an empty `study` and the policy of its latest spec.
OwnedPolicy open_log(const Store& store, Study& study);

// The policy of `spec` folded over the events up to `last`.
OwnedPolicy fold_policy(const Store& store, const StudySpec& spec, std::uint64_t seed,
                        Seq last = std::numeric_limits<Seq>::max());

}  // namespace hpsearch
