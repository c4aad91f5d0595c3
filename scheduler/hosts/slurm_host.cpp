#include "scheduler/hosts/slurm_host.h"

#include <boost/asio/post.hpp>
#include <cstdlib>
#include <set>
#include <system_error>

#include "scheduler/clock.h"
#include "scheduler/hosts/launch_plan.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"
#include "store/file_system.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr Span kSightOnNetwork{30'000}, kSightHere{2'000};
constexpr Span kWindingUp{15'000};           // A job may run for so long after the record of its end.

std::string reasons_text(const std::map<int, std::unique_ptr<SlurmAttempt>>& attempts) {
  std::set<std::string> reasons;
  for (const auto& [trial, attempt] : attempts)
    if (!attempt->pending_reason().empty()) reasons.insert(attempt->pending_reason());
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "jobs wait: " : ", ") + reason;
  return text;
}

}  // namespace

fs::path slurm_study_folder(const HostSpec& spec, const Study& study, const fs::path& study_folder) {
  if (spec.dir.empty()) return fs::absolute(study_folder);
  const char* home = std::getenv("HOME");
  const fs::path dir = spec.dir.starts_with("~/") && home ? fs::path(home) / spec.dir.substr(2) : fs::path(spec.dir);
  return fs::absolute(dir / (study.name() + "-" + study.id().substr(0, 8)));
}

Span slurm_sight(const fs::path& folder) { return probe_file_system(folder).network.empty() ? kSightHere : kSightOnNetwork; }

void put_in_job(Launch& launch, const StudySpec& spec, const HostSpec& host) {
  launch.given.emplace();
  if (spec.trial.checkpoint) launch.warning = job_warning(host.slurm);
}

SlurmHost::SlurmHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
                     const fs::path& study_folder, fs::path program)
    : io_(io),
      facts_(facts),
      folder_(slurm_study_folder(spec, study, study_folder)),
      program_(spec.program.empty() ? std::move(program) : fs::path(spec.program)),
      settings_{study.spec().trial.checkpoint, study.spec().trial.grace, Span(0)},
      control_(io, facts, std::move(spec), study.spec().trial,
               {[this](const std::vector<SlurmJob>& jobs, Span asked_at) { take(jobs, asked_at); },
                [this](const std::string& reason) { refuse(reason); }}) {
  fs::create_directories(folder_);
  settings_.sight = slurm_sight(folder_);
}

SlurmHost::~SlurmHost() = default;

void SlurmHost::start(const Study& study, const AttemptPlanned& plan) {
  const HostSpec& host = control_.spec();
  const AttemptName name{plan.trial, plan.attempt};
  SlurmAttempt& attempt = add({name, plan.id, 0, study.spec().metric().name, {}});
  if (control_.refused()) return attempt.give_up({EndKind::lost, 0, false, "its host is refused by Slurm", ""});
  try {
    Launch launch = launch_of(study, plan, {folder_, study.spec().folder, host.setup, host.env, host.vars});
    put_in_job(launch, study.spec(), host);
    launch.mailbox = true;
    const AttemptFolder folder = attempt_folder(folder_, plan.trial, plan.attempt);
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
      io_, facts_, attempt_folder(folder_, name.trial, name.attempt), adoption, settings_,
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
  const AttemptFolder folder = attempt_folder(folder_, name.trial, name.attempt);
  control_.submit({attempt->job_name(), folder.root / "slurm.log", 1}, job_script({program_, "keeper", folder.root}),
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
  std::error_code ignored;  // A folder that can't be deleted now stays.
  fs::remove_all(attempt_folder(folder_, name.trial, name.attempt).checkpoint(), ignored);
}

void SlurmHost::take(const std::vector<SlurmJob>& jobs, Span asked_at) {
  std::map<std::string, std::vector<SlurmJob>> by_name;
  for (const SlurmJob& job : jobs) by_name[job.name].push_back(job);
  for (const auto& [trial, attempt] : attempts_) attempt->see(by_name[attempt->job_name()], asked_at);
  end_revenants(by_name);
  control_.jobs_wait(reasons_text(attempts_));
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
