#include "scheduler/hosts/fleet_executor.h"

#include <algorithm>

#include "scheduler/clock.h"
#include "scheduler/hosts/local_host.h"
#include "scheduler/hosts/local_view.h"
#include "scheduler/hosts/remote_host.h"
#include "scheduler/hosts/slurm_host.h"
#include "scheduler/hosts/slurm_pilot_host.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

Adoption adoption_of(const Study& study, const Trial& trial, const Attempt& attempt) {
  Adoption adoption{{trial.number, attempt.number}, attempt.id, attempt.last_attempt_seq, study.spec().metric().name, {}};
  adoption.words.push_back(VerdictWord{attempt.verdict.value_or(Verdict::go_on), attempt.milestone});
  if (attempt.order) adoption.words.push_back(OrderWord{attempt.order->order});
  return adoption;
}

}  // namespace

FleetExecutor::FleetExecutor(const fs::path& study_folder, fs::path program)
    : folder_(fs::absolute(study_folder)), program_(std::move(program)) {}

FleetExecutor::~FleetExecutor() = default;

std::vector<HostSeen> FleetExecutor::open(const Study& study) {
  std::vector<HostSeen> known;
  for (const HostSpec& spec : study.spec().hosts) {
    hosts_[spec.name] = make_host(study, spec);
    if (spec.kind == HostKind::local) known.push_back(local_view(spec.name));
  }
  return known;
}

// Hosts that have left the space file are taken up for the sake of the trials they still run.
Host* FleetExecutor::host(const Study& study, const std::string& name) {
  if (const auto found = hosts_.find(name); found != hosts_.end()) return found->second.get();
  const FleetHost* known = study.fleet().find(name);
  if (!known) return nullptr;
  auto& host = hosts_[name];
  host = make_host(study, known->spec);
  return host.get();
}

std::unique_ptr<Host> FleetExecutor::make_host(const Study& study, const HostSpec& spec) {
  switch (spec.kind) {
    case HostKind::local: return std::make_unique<LocalHost>(io_, facts_, spec, folder_, program_);
    case HostKind::slurm:
      if (spec.slurm.pilot) return std::make_unique<SlurmPilotHost>(io_, facts_, spec, study, folder_, program_);
      return std::make_unique<SlurmHost>(io_, facts_, spec, study, folder_, program_);
    case HostKind::ssh:
    case HostKind::command: return std::make_unique<RemoteHost>(io_, facts_, spec, study, program_);
  }
  return nullptr;
}

void FleetExecutor::start(const Study& study, const AttemptPlanned& plan) { host(study, plan.slot.host)->start(study, plan); }

void FleetExecutor::tell(const Study& study, const std::variant<Judged, EndOrdered>& word) {
  const auto pass_on = [&](int trial, int attempt, const SchedulerWord& text) {
    const Attempt& told = study.trial(trial).attempts[attempt - 1];
    if (Host* where = host(study, told.slot.host)) where->tell({trial, attempt}, text);
  };
  if (const auto* judged = std::get_if<Judged>(&word))
    pass_on(judged->trial, judged->attempt, VerdictWord{judged->verdict, judged->milestone});
  else if (const auto* ordered = std::get_if<EndOrdered>(&word))
    pass_on(ordered->trial, ordered->attempt, OrderWord{ordered->order});
}

void FleetExecutor::adopt(const Study& study, const Trial& trial, const Attempt& attempt) {
  if (Host* where = host(study, attempt.slot.host)) return where->adopt(adoption_of(study, trial, attempt));
  facts_.push(AttemptEnded{trial.number, attempt.number,
                           {EndKind::lost, 0, false, "its host " + attempt.slot.host + " is unknown", ""}, SystemClock().now()});
}

std::variant<Fact, Tick> FleetExecutor::wait(std::optional<Time> deadline) {
  if (facts_.empty()) io_.poll();
  while (facts_.empty()) {
    if (!deadline) {
      io_.run_one();
      continue;
    }
    const Span left = *deadline - SystemClock().now();
    if (left <= Span(0)) return Tick{};
    io_.run_one_for(left);
  }
  Fact fact = std::move(*facts_.pop());
  if (const auto* ended = std::get_if<AttemptEnded>(&fact)) to_tidy_.push_back({ended->trial, ended->attempt});
  return fact;
}

void FleetExecutor::tidy(const Study& study) {
  if (!checkpoints_) {
    checkpoints_ = std::make_unique<CheckpointStore>([this, &study](const Attempt& attempt, int trial) {
      if (Host* where = host(study, attempt.slot.host)) where->discard({trial, attempt.number});
    });
    checkpoints_->tidy_all(study);
  }
  std::erase_if(to_tidy_, [&](const AttemptName& name) {
    const Attempt& attempt = study.trial(name.trial).attempts[name.attempt - 1];
    if (attempt.settled) checkpoints_->tidy(study, name.trial);
    return attempt.settled;
  });
}

}  // namespace hpsearch
