#include "scheduler/hosts/slurm_host.h"

#include <boost/asio/post.hpp>
#include <set>

#include "scheduler/clock.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr Span kWindingUp{15'000};           // A job may run for so long after the record of its end.

}  // namespace

SlurmHost::SlurmHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
                     const fs::path& study_folder, const fs::path& program)
    : io_(io),
      facts_(facts),
      place_(slurm_place(spec, study, study_folder, program)),
      settings_{study.spec().trial.checkpoint, study.spec().trial.grace, place_.sight},
      control_(io, facts, std::move(spec), study.spec().trial,
               {[this](const std::vector<SlurmJob>& jobs, Span asked_at) { take(jobs, asked_at); },
                [this](const std::string& reason) { refuse(reason); }}) {}

SlurmHost::~SlurmHost() = default;

void SlurmHost::start(const Study& study, const AttemptPlanned& plan) {
  const AttemptName name{plan.trial, plan.attempt};
  SlurmAttempt& attempt = add({name, plan.id, 0, study.spec().metric().name, {}});
  if (control_.refused()) return attempt.give_up({EndKind::lost, 0, false, "its host is refused by Slurm", ""});
  try {
    Launch launch = launch_in_job(study, plan, control_.spec(), place_);
    launch.mailbox = true;
    const AttemptFolder folder = attempt_folder(place_.folder, plan.trial, plan.attempt);
    fs::create_directories(folder.root);
    write_atomically(folder.launch(), launch_json(launch).dump() + '\n', Durability::synced);
  } catch (const std::exception& fault) {
    return attempt.give_up({EndKind::launch_failed, 0, false, fault.what(), ""});
  }
  attempt.begin();
}

SlurmAttempt& SlurmHost::add(const Adoption& adoption) {
  const AttemptName name = adoption.name;
  auto& place = attempts_[name.trial];
  place = std::make_unique<SlurmAttempt>(
      io_, facts_, attempt_folder(place_.folder, name.trial, name.attempt), adoption, settings_,
      SlurmAttempt::Callbacks{[this, name] { submit(name); },
                              [this](const std::vector<std::string>& words) { control_.scancel(words); },
                              [this, name] { ask_accounting(name); },
                              [this] { boost::asio::post(io_, [this] { sweep(); }); }});
  return *place;
}

void SlurmHost::ask_accounting(AttemptName name) {
  control_.ask_accounting(find(name)->job_name(), [this, name](const std::string& state) {
    if (SlurmAttempt* attempt = find(name)) attempt->accounted(state);
  });
}

void SlurmHost::submit(AttemptName name) {
  const SlurmAttempt* attempt = find(name);
  const AttemptFolder folder = attempt_folder(place_.folder, name.trial, name.attempt);
  control_.submit({attempt->job_name(), folder.root / "slurm.log", 1}, job_script({place_.program, "keeper", folder.root}),
                  [this, name] {
                    SlurmAttempt* begun = find(name);
                    if (begun) begun->submitting();
                    return begun != nullptr;
                  },
                  [this, name](const CommandResult& result) {
                    if (SlurmAttempt* submitted = find(name)) submitted->submitted(result);
                  });
}

SlurmAttempt* SlurmHost::find(AttemptName name) {
  const auto found = attempts_.find(name.trial);
  return found != attempts_.end() && found->second->name() == name && !found->second->over() ? found->second.get() : nullptr;
}

void SlurmHost::tell(AttemptName name, const SchedulerWord& word) {
  if (SlurmAttempt* attempt = find(name)) attempt->tell(word);
}

void SlurmHost::adopt(const Adoption& adoption) {
  SlurmAttempt& attempt = add(adoption);
  attempt.adopted();
  for (const SchedulerWord& word : adoption.words) attempt.tell(word);
}

void SlurmHost::discard(AttemptName name) {
  delete_checkpoint(place_.folder, name.trial, name.attempt);
}

void SlurmHost::take(const std::vector<SlurmJob>& jobs, Span asked_at) {
  std::map<std::string, std::vector<SlurmJob>> by_name;
  for (const SlurmJob& job : jobs) by_name[job.name].push_back(job);
  for (const auto& [trial, attempt] : attempts_) attempt->see(by_name[attempt->job_name()], asked_at);
  end_revenants(by_name);
  std::set<std::string> reasons;
  for (const auto& [trial, attempt] : attempts_) reasons.insert(attempt->pending_reason());
  control_.jobs_wait(std::move(reasons));
}

// A job that ended while the controller was down may be started again, one that was given up may turn up late.
void SlurmHost::end_revenants(const std::map<std::string, std::vector<SlurmJob>>& jobs) {
  const Span now = steady_now();
  for (const auto& [name, since] : over_) {
    const auto found = jobs.find(name);
    if (found == jobs.end()) continue;
    for (const SlurmJob& job : found->second)
      if (job_pending(job) || (!job_ended(job.state) && now - since > kWindingUp)) control_.scancel({job.id});
  }
}

// What Slurm has runs on; the rest has nowhere to run.
void SlurmHost::refuse(const std::string& reason) {
  for (const auto& [trial, attempt] : attempts_) attempt->refused(reason);
}

void SlurmHost::sweep() {
  std::erase_if(attempts_, [this](const auto& entry) {
    if (entry.second->over()) over_[entry.second->job_name()] = steady_now();
    return entry.second->over();
  });
}

}  // namespace hpsearch
