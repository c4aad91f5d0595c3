#include "scheduler/hosts/host_set.h"

#include "scheduler/hosts/local_host.h"
#include "scheduler/hosts/slurm_host.h"
#include "scheduler/hosts/slurm_pilot_host.h"

namespace hpsearch {

std::vector<HostSeen> HostSet::open(const Study& study) {
  std::vector<HostSeen> known;
  for (const HostSpec& spec : session_hosts(study.spec())) {
    hosts_[spec.name] = make(study, spec);
    const auto* local = dynamic_cast<const LocalHost*>(hosts_[spec.name].get());
    if (const auto seen = local ? local->seen() : std::nullopt) known.push_back(*seen);
  }
  return known;
}

std::unique_ptr<Host> HostSet::make(const Study& study, const HostSpec& spec) {
  if (spec.elastic) {
    const FleetHost* known = study.fleet().find(spec.name);
    return std::make_unique<ElasticHost>(io_, facts_, spec, study, folder_, program_, &home_, role_, known ? known->seen.address : "",
                                         known && known->reachable());
  }
  switch (spec.kind) {
    case HostKind::local: return std::make_unique<LocalHost>(io_, facts_, spec, study, folder_, program_);
    case HostKind::slurm:
      if (spec.slurm.pilot) return std::make_unique<SlurmPilotHost>(io_, facts_, spec, study, folder_, program_);
      return std::make_unique<SlurmHost>(io_, facts_, spec, study, folder_, program_);
    case HostKind::ssh:
    case HostKind::command: return std::make_unique<RemoteHost>(io_, facts_, spec, study, program_, &home_, role_);
  }
  return nullptr;
}

Host* HostSet::find(const Study& study, const std::string& name) {
  if (const auto found = hosts_.find(name); found != hosts_.end()) return found->second.get();
  const FleetHost* known = study.fleet().find(name);
  if (!known) return nullptr;
  return (hosts_[name] = make(study, known->spec)).get();
}

RemoteHost* HostSet::remote(const Study& study, const std::string& name) {
  Host* const host = find(study, name);
  auto* const elastic = dynamic_cast<ElasticHost*>(host);
  return elastic ? elastic->remote() : dynamic_cast<RemoteHost*>(host);
}

ElasticHost* HostSet::elastic(const Study& study, const std::string& name) { return dynamic_cast<ElasticHost*>(find(study, name)); }

void HostSet::tell_hunger(const Study& study) {
  for (const auto& [name, host] : hosts_)
    if (RemoteHost* far = remote(study, name)) far->tell_hunger();
}

}  // namespace hpsearch
