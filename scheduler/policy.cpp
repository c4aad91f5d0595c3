#include "scheduler/policy.h"

namespace hpsearch {

namespace {

Json policy_part(Json document) {
  for (const char* key : {"limits", "hosts", "trial", "enqueue"}) document.erase(key);
  return document;
}

OwnedPolicy make_policy(const StudySpec& spec, std::uint64_t seed) {
  return {make_sampler(spec, seed), make_pruner(spec), policy_part(spec.document)};
}

}  // namespace

void OwnedPolicy::apply(const Study& study, const Event& event) {
  pruner->apply(study, event);
  sampler->apply(event);
}

bool OwnedPolicy::outdated_by(const Study& study, const Event& event) const {
  return !sampler || (event_as<SpecChanged>(event) && reads != policy_part(study.spec().document));
}

OwnedPolicy open_log(const Store& store, Study& study) {
  OwnedPolicy policy;
  bool outdated = false;
  store.read([&](const Event& event) {
    study.apply(event);
    if (event_as<StudyCreated>(event)) policy = make_policy(study.spec(), study.seed());
    outdated = outdated || policy.outdated_by(study, event);
    if (!outdated) policy.apply(study, event);
  });
  return outdated ? fold_policy(store, study.spec(), study.seed()) : std::move(policy);
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
