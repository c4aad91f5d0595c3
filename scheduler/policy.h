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

  Policy view() const { return {*sampler, *pruner}; }
  void apply(const Study& study, const Event& event);
};

// Folds a stored log into an empty `study` and the policy of its latest spec.
OwnedPolicy open_log(const Store& store, Study& study);

// The policy of `spec` folded over the events up to `last`: needed anew when the spec has changed.
OwnedPolicy fold_policy(const Store& store, const StudySpec& spec, std::uint64_t seed,
                        Seq last = std::numeric_limits<Seq>::max());

}  // namespace hpsearch
