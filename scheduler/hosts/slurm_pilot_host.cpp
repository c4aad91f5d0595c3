#include "scheduler/hosts/slurm_pilot_host.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <set>

#include "scheduler/clock.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/trial_folders.h"
#include "scheduler/random_hex.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr int kMostEarlyEnds = 3;
constexpr std::size_t kPilotLogTail = 500;

fs::path pilot_note(const AttemptFolder& folder) { return folder.root / "pilot"; }

}  // namespace

SlurmPilotHost::SlurmPilotHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
                               const fs::path& study_folder, const fs::path& program)
    : io_(io),
      facts_(facts),
      study_(study),
      settings_{spec,
                slurm_place(spec, study, study_folder, program),
                spec.slots.value_or(1),
                study.spec().trial.gpus.value_or(0),
                study.spec().trial.checkpoint,
                study.spec().metric().name},
      prefix_("hpsearch-pilot-" + study.id().substr(0, 8) + "-"),
      control_(io, facts, std::move(spec), study.spec().trial,
               {[this](const std::vector<SlurmJob>& jobs, Span asked_at) { take(jobs, asked_at); },
                [this](const std::string& reason) { refuse(reason); }}) {}

SlurmPilotHost::~SlurmPilotHost() {
  std::vector<std::string> idle;
  for (const auto& [name, pilot] : pilots_)
    if (pilot->idle() && !pilot->over()) idle.push_back("--name=" + name);
  control_.scancel_unwatched(idle);
}

// ---- Attempts ----------------------------------------------------------------------------------------------------

void SlurmPilotHost::start(const Study& study, const AttemptPlanned& plan) {
  const AttemptName name{plan.trial, plan.attempt};
  if (control_.refused()) return lose(name, false, "its host is refused by Slurm");
  try {
    waiting_.push_back(launch_in_job(study, plan, control_.spec(), settings_.place));
  } catch (const std::exception& fault) {
    facts_.push(ended_fact(name, {{EndKind::launch_failed, 0, false, fault.what(), ""}, SystemClock().now()}));
  }
  dispatch_soon();
}

void SlurmPilotHost::tell(AttemptName name, const SchedulerWord& word) {
  if (SlurmPilot* pilot = holder(name)) return pilot->tell(name, word);
  if (!std::holds_alternative<OrderWord>(word)) return;
  const auto waits = std::erase_if(waiting_, [&](const Launch& launch) { return AttemptName{launch.trial, launch.attempt} == name; });
  if (waits > 0) lose(name, true, "ended before a pilot took it");
}

void SlurmPilotHost::adopt(const Adoption& adoption) {
  const AttemptFolder folder = attempt_folder(settings_.place.folder, adoption.name.trial, adoption.name.attempt);
  const std::string note = read_file(pilot_note(folder)).value_or("");
  if (!note.starts_with(prefix_)) return lose(adoption.name, false, "never started");
  SlurmPilot& place = pilot(note);
  place.adopted();
  place.adopt(adoption);
}

void SlurmPilotHost::discard(AttemptName name) {
  delete_checkpoint(settings_.place.folder, name.trial, name.attempt);
}

void SlurmPilotHost::lose(AttemptName name, bool ordered, const std::string& detail) {
  facts_.push(ended_fact(name, {{EndKind::lost, 0, ordered, detail, ""}, SystemClock().now()}));
}

SlurmPilot* SlurmPilotHost::holder(AttemptName name) {
  for (const auto& [pilot_name, pilot] : pilots_)
    if (pilot->holds(name)) return pilot.get();
  return nullptr;
}

// ---- Pilots ------------------------------------------------------------------------------------------------------

SlurmPilot& SlurmPilotHost::pilot(const std::string& name) {
  auto& place = pilots_[name];
  if (!place)
    place = std::make_unique<SlurmPilot>(io_, settings_, name,
                                         SlurmPilot::Callbacks{[this](Fact fact) { facts_.push(std::move(fact)); },
                                                               [this] { dispatch_soon(); },
                                                               [this](const std::string& reason) { control_.refuse(reason); }});
  return *place;
}

// Pilots that an earlier scheduler has left serve on.
void SlurmPilotHost::take(const std::vector<SlurmJob>& jobs, Span asked_at) {
  std::map<std::string, std::vector<SlurmJob>> by_name;
  for (const SlurmJob& job : jobs) {
    if (!job.name.starts_with(prefix_)) continue;
    by_name[job.name].push_back(job);
    if (!job_ended(job.state) && !pilots_.contains(job.name)) pilot(job.name).adopted();
  }
  for (const auto& [name, pilot] : pilots_) pilot->see(by_name[name], study_, asked_at);
  std::set<std::string> reasons;
  for (const auto& [name, pilot] : pilots_)
    if (!waiting_.empty()) reasons.insert(pilot->pending_reason());
  control_.jobs_wait(std::move(reasons));
  dispatch_soon();
}

void SlurmPilotHost::bury() {
  for (const auto& [name, pilot] : pilots_) {
    if (pilot->served()) failures_ = 0;
    else if (pilot->over() && ++failures_ >= kMostEarlyEnds)
      control_.refuse("pilots end before they answer: " + file_tail(pilot->folder() / "slurm.log", kPilotLogTail));
  }
  std::erase_if(pilots_, [](const auto& entry) { return entry.second->over(); });
}

// Not inside a pilot's own callback.
void SlurmPilotHost::dispatch_soon() {
  if (dispatching_) return;
  dispatching_ = true;
  boost::asio::post(io_, [this] {
    dispatching_ = false;
    dispatch();
  });
}

void SlurmPilotHost::dispatch() {
  bury();
  for (const auto& [name, pilot] : pilots_)
    while (!waiting_.empty() && pilot->room() > 0) hand_over(*pilot);
  ask_for_pilots();
}

void SlurmPilotHost::hand_over(SlurmPilot& pilot) {
  Launch launch = std::move(waiting_.front());
  waiting_.pop_front();
  const AttemptFolder folder = attempt_folder(settings_.place.folder, launch.trial, launch.attempt);
  try {
    fs::create_directories(folder.root);
    write_atomically(pilot_note(folder), pilot.name(), Durability::synced);
    pilot.start(std::move(launch));
  } catch (const std::exception& fault) {
    facts_.push(ended_fact({launch.trial, launch.attempt}, {{EndKind::launch_failed, 0, false, fault.what(), ""}, SystemClock().now()}));
  }
}

void SlurmPilotHost::ask_for_pilots() {
  int to_come = 0;
  for (const auto& [name, pilot] : pilots_) to_come += pilot->promise();
  for (; to_come < static_cast<int>(waiting_.size()) && static_cast<int>(pilots_.size()) < control_.spec().slurm.max_jobs && !control_.refused();
       to_come += settings_.slots)
    ask_for_pilot();
}

void SlurmPilotHost::ask_for_pilot() {
  const std::string name = prefix_ + random_hex(1);
  const fs::path folder = pilot(name).folder();
  fs::create_directories(folder);
  control_.submit({name, folder / "slurm.log", settings_.slots}, job_script({settings_.place.program, "pilot", folder}),
                  [this, name] { return pilots_.contains(name); },
                  [this, name](const CommandResult& result) {
                    if (pilots_.contains(name)) pilot(name).submitted(result);
                  });
}

void SlurmPilotHost::refuse(const std::string& reason) {
  while (!waiting_.empty()) {
    const AttemptName name{waiting_.front().trial, waiting_.front().attempt};
    waiting_.pop_front();
    lose(name, false, reason);
  }
}

}  // namespace hpsearch
