#include "scheduler/hosts/homecoming.h"

#include <algorithm>

#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

namespace fs = std::filesystem;

// ---- Checkpoints as they are made ----------------------------------------------------------------------------------

void Homecoming::committed(const Study& study, const std::vector<Event>& events) {
  for (const Event& event : events) {
    if (const auto* report = event_as<Reported>(event)) mirror(study, *report);
    if (const auto* end = event_as<AttemptEnded>(event)) mirror_last(study, *end);
    if (const auto* seen = event_as<HostSeen>(event)) mirror_missed(study, *seen);
    if (const auto* saved = event_as<CheckpointSaved>(event)) drop_earlier(study, *saved);
  }
}

void Homecoming::mirror(const Study& study, const Reported& report) {
  const Attempt* attempt = study.trial(report.trial).current();
  if (!report.checkpoint.empty() && attempt && attempt->number == report.attempt && !attempt->ended)
    want(study, *attempt, {report.trial, report.attempt}, false);
}

void Homecoming::mirror_last(const Study& study, const AttemptEnded& end) {
  const Attempt* attempt = study.find_attempt(end.trial, end.attempt);
  if (attempt && !attempt->latest_is_saved() && attempt->reported_step > 0) want(study, *attempt, {end.trial, end.attempt}, true);
}

// What could not come home while the host was away.
void Homecoming::mirror_missed(const Study& study, const HostSeen& seen) {
  if (seen.state != HostState::up) return void(up_.erase(seen.host));
  if (!up_.insert(seen.host).second || !hosts_.remote(study, seen.host)) return;
  for (const Trial& trial : study.trials()) {
    const Attempt* attempt = trial.finished() ? nullptr : trial.checkpointed();
    if (attempt && attempt->ended && attempt->slot.host == seen.host && !attempt->latest_is_saved())
      want(study, *attempt, {trial.number, attempt->number}, true);
  }
}

// The log counted on the one before until now.
void Homecoming::drop_earlier(const Study& study, const CheckpointSaved& saved) {
  std::string& known = saved_[{saved.trial, saved.attempt}];
  const std::string earlier = std::exchange(known, saved.checkpoint);
  const Attempt* current = study.trial(saved.trial).current();
  const bool in_use = current && !current->ended && current->resume_attempt == saved.attempt;
  if (earlier.empty() || in_use || (saved.checkpoint + "/").starts_with(earlier + "/")) return;
  const fs::path place = attempt_folder(folder_, saved.trial, saved.attempt).checkpoint() / earlier;
  hosts_.home().ask({{"do", "delete"}, {"path", place.string()}}, "", [](const Json&, const std::string&) {});
}

void Homecoming::want(const Study& study, const Attempt& attempt, AttemptName name, bool last) {
  if (!study.spec().trial.checkpoint || study.trial(name.trial).finished()) return;
  RemoteHost* const there = hosts_.remote(study, attempt.slot.host);
  if (!there || !there->up() || study.fleet().replaced(attempt.slot.host, attempt.planned_at)) return;
  auto& mirror = mirrors_[attempt.slot.host];
  if (!mirror)
    mirror = std::make_unique<CheckpointMirror>(io_, *there, hosts_.home(), [this](const CheckpointMirror::Wanted& wanted) {
      facts_.push(CheckpointSaved{wanted.name.trial, wanted.name.attempt, wanted.checkpoint, wanted.attempt_seq});
    });
  mirror->want({name, attempt.checkpoint, attempt_folder(there->study_path(), name.trial, name.attempt).checkpoint(),
                attempt_folder(folder_, name.trial, name.attempt).checkpoint(), attempt.checkpoint_seq, last});
}

// ---- All of a trial ------------------------------------------------------------------------------------------------

void Homecoming::fetch(const Study& study, const Trial& trial, const Attempt& attempt) {
  RemoteHost* const there = hosts_.remote(study, attempt.slot.host);
  if (!there || !there->up()) return;
  const std::string what = "attempt " + std::to_string(attempt.number) + " of trial " + std::to_string(trial.number);
  const std::string& path = there->study_path();
  bring(*there, attempt.slot.host, what, attempt_folder(path, trial.number, attempt.number).root,
        attempt_folder(folder_, trial.number, attempt.number).root, "replace");
  bring(*there, attempt.slot.host, what, artifact_folder(path, trial.number), artifact_folder(folder_, trial.number), "merge");
}

void Homecoming::bring(RemoteHost& from, const std::string& host, const std::string& what, const fs::path& place_there,
                       const fs::path& place_here, const char* how) {
  Fetched& fetched = fetched_[host].emplace_back();
  fetched.what = what;
  TreeCopy::Order order{{{"do", "tree"}, {"path", place_there.string()}}, place_here.string() + ".contents",
                        {{"do", how}, {"path", place_here.string()}}, false};
  fetched.copy = std::make_unique<TreeCopy>(from, hosts_.home(), std::move(order), [&fetched](const std::string& fault, const FileTree&) {
    fetched.fault = fault;
    fetched.done = true;
  });
}

bool Homecoming::busy(const std::string& host) const {
  if (const auto mirror = mirrors_.find(host); mirror != mirrors_.end() && mirror->second->busy()) return true;
  const auto here = fetched_.find(host);
  return here != fetched_.end() && std::any_of(here->second.begin(), here->second.end(), [](const Fetched& one) { return !one.done; });
}

bool Homecoming::busy() const {
  const auto still = [this](const auto& entry) { return busy(entry.first); };
  return std::any_of(mirrors_.begin(), mirrors_.end(), still) || std::any_of(fetched_.begin(), fetched_.end(), still);
}

std::uint64_t Homecoming::progress(const Study& study, const std::string& host) {
  const RemoteHost* const there = hosts_.remote(study, host);
  return there ? there->asked() : 0;
}

std::uint64_t Homecoming::progress(const Study& study) {
  std::uint64_t sum = 0;
  for (const FleetHost& host : study.fleet().hosts()) sum += progress(study, host.spec.name);
  return sum;
}

std::string Homecoming::end(const std::string& host) {
  mirrors_.erase(host);
  std::string faults;
  if (const auto fetched = fetched_.extract(host))
    for (const Fetched& one : fetched.mapped())
      if (!one.done || !one.fault.empty())
        faults += (faults.empty() ? "" : "; ") + one.what + ": " + (one.done ? one.fault : "it takes too long");
  return faults;
}

}  // namespace hpsearch
