#include "scheduler/policy.h"

namespace hpsearch {

namespace {

OwnedPolicy make_policy(const StudySpec& spec, std::uint64_t seed) {
  return {make_sampler(spec, seed), make_pruner(spec)};
}

template <typename E>
bool is_fact(const Event& event) {
  const Fact* fact = std::get_if<Fact>(&event.body);
  return fact && std::holds_alternative<E>(*fact);
}

}  // namespace

void OwnedPolicy::apply(const Study& study, const Event& event) {
  pruner->apply(study, event);
  sampler->apply(event);
}

OwnedPolicy open_log(const Store& store, Study& study) {
  OwnedPolicy policy;
  bool spec_changed = false;
  store.read([&](const Event& event) {
    study.apply(event);
    if (is_fact<StudyCreated>(event)) policy = make_policy(study.spec(), study.seed());
    spec_changed = spec_changed || is_fact<SpecChanged>(event);
    if (!spec_changed) policy.apply(study, event);
  });
  return spec_changed ? fold_policy(store, study.spec(), study.seed()) : std::move(policy);
}

OwnedPolicy fold_policy(const Store& store, const StudySpec& spec, std::uint64_t seed, Seq last) {
  OwnedPolicy policy = make_policy(spec, seed);
  Study study;
  store.read([&](const Event& event) {
    if (event.seq > last) return;
    study.apply(event);
    policy.apply(study, event);
  });
  return policy;
}

}  // namespace hpsearch
