#include "scheduler/hosts/slurm_pilot.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "scheduler/clock.h"
#include "scheduler/hosts/left_behind.h"
#include "scheduler/hosts/slurm_end.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr Span kLatePilot{12'000};           // sbatch gave up on it, and it may still turn up.
constexpr Span kForAsLongAsItsJob{31'536'000'000};

// Its own slot's part of the devices that the job was given.
GivenDevices devices_of(int slot, double gpus) {
  if (gpus <= 0 || slot < 0) return {};
  return {static_cast<int>(std::floor(slot * gpus)), std::max(1, static_cast<int>(std::ceil(gpus)))};
}

HostSpec without_end(HostSpec host) {
  host.lost_after = kForAsLongAsItsJob;
  return host;
}

}  // namespace

SlurmPilot::SlurmPilot(boost::asio::io_context& io, const PilotSettings& settings, std::string name, Callbacks callbacks)
    : io_(io),
      settings_(settings),
      name_(std::move(name)),
      callbacks_(std::move(callbacks)),
      facts_([this](Fact fact) { take(std::move(fact)); }) {}

bool SlurmPilot::holds(AttemptName name) const {
  const auto found = attempts_.find(name.trial);
  return found != attempts_.end() && found->second.adoption.name == name;
}

int SlurmPilot::room() const { return open_ ? promise() : 0; }

int SlurmPilot::promise() const {
  return over_ || closing_ ? 0 : std::max(0, settings_.slots - static_cast<int>(attempts_.size()));
}

void SlurmPilot::submitted(const CommandResult& result) {
  known_ = true;
  sure_ = result.ok();
  since_ = steady_now();
}

void SlurmPilot::see(const std::vector<SlurmJob>& jobs, const Study& study, Span asked_at) {
  if (over_ || !known_) return;
  pending_reason_.clear();
  if (jobs.empty()) {
    const bool late = !sure_ && asked_at < since_ + kLatePilot;
    if (asked_at > since_ && !late) vanished("");
    return;
  }
  sure_ = true;
  const auto live = std::find_if(jobs.begin(), jobs.end(), [](const SlurmJob& job) { return !job_ended(job.state); });
  if (live == jobs.end()) return vanished(jobs.back().state);
  vanished_since_.reset();
  if (job_pending(*live)) pending_reason_ = live->reason;
  else if (live->state == "RUNNING" && !agent_) attach(live->id, study);
}

void SlurmPilot::attach(const std::string& job, const Study& study) {
  RemoteWay way{{"srun", "--jobid=" + job, "--overlap", "--nodes=1", "--ntasks=1", "--mpi=none", "--quiet",
                 settings_.place.program, "agent", "--connect", folder()},
                settings_.place.folder};
  agent_ = std::make_unique<RemoteHost>(io_, facts_, without_end(settings_.host), study, settings_.place.program, nullptr, RemoteHost::Role::scheduler, std::move(way));
  for (const auto& [trial, held] : attempts_) agent_->adopt(held.adoption);
}

void SlurmPilot::take(Fact fact) {
  if (const auto* seen = std::get_if<HostSeen>(&fact)) {
    open_ = seen->state == HostState::up;
    served_ = served_ || open_;
    if (seen->state == HostState::refused) callbacks_.refused(seen->reason);
    return callbacks_.changed();
  }
  const auto* ended = std::get_if<AttemptEnded>(&fact);
  if (ended) attempts_.erase(ended->trial);
  else count(fact);
  const bool more_room = ended != nullptr;
  callbacks_.fact(std::move(fact));
  if (more_room) callbacks_.changed();
}

// What the study has need not be read from the attempt's folder.
void SlurmPilot::count(const Fact& fact) {
  const auto see = [this](const auto& line) {
    if (const auto found = attempts_.find(line.trial); found != attempts_.end()) found->second.adoption.seen = line.attempt_seq;
  };
  if (const auto* report = std::get_if<Reported>(&fact)) see(*report);
  else if (const auto* rejected = std::get_if<ReportRejected>(&fact)) see(*rejected);
}

// ---- The end of its job ------------------------------------------------------------------------------------------

void SlurmPilot::vanished(const std::string& state) {
  const Span now = steady_now();
  open_ = false;
  closing_ = true;
  agent_.reset();
  if (!vanished_since_) vanished_since_ = now;
  if (attempts_.empty() || now - *vanished_since_ >= settings_.place.sight) bury(state);
}

void SlurmPilot::bury(const std::string& state) {
  over_ = true;
  FactQueue last([this](Fact fact) { callbacks_.fact(std::move(fact)); });
  for (const auto& [trial, held] : attempts_) {
    const AttemptName name = held.adoption.name;
    if (collect_left_behind(attempt_folder(settings_.place.folder, trial, name.attempt), name, held.adoption.seen, settings_.metric, last))
      continue;
    last.push(ended_fact(name, {end_of_lost_job({state, true, false, settings_.checkpoint, ""}), SystemClock().now()}));
  }
  attempts_.clear();
  callbacks_.changed();
}

// ---- Attempts ----------------------------------------------------------------------------------------------------

int SlurmPilot::free_slot() const {
  std::set<int> taken;
  for (const auto& [trial, held] : attempts_) taken.insert(held.slot);
  int slot = 0;
  while (taken.contains(slot)) ++slot;
  return slot;
}

// Which pilot it runs in is noted first, for the scheduler that may have to find it.
void SlurmPilot::start(Launch launch) {
  const AttemptName name{launch.trial, launch.attempt};
  const int slot = free_slot();
  launch.given = settings_.slots > 1 ? devices_of(slot, settings_.gpus) : GivenDevices{};
  attempts_[name.trial] = {{name, launch.id, 0, launch.metric, {VerdictWord{Verdict::go_on, launch.milestone}}}, slot};
  agent_->start(launch);
}

void SlurmPilot::tell(AttemptName name, const SchedulerWord& word) {
  Adoption& adoption = attempts_.at(name.trial).adoption;
  std::erase_if(adoption.words, [&](const SchedulerWord& old) { return old.index() == word.index(); });
  adoption.words.push_back(word);
  if (agent_) agent_->tell(name, word);
}

void SlurmPilot::adopt(const Adoption& adoption) {
  attempts_[adoption.name.trial] = {adoption, -1};
  if (agent_) agent_->adopt(adoption);
}

}  // namespace hpsearch
