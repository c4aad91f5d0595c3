#include "dashboard/notices.h"

#include "dashboard/text_width.h"

namespace hpsearch {

namespace {

std::string interruption_text(int level, bool checkpoint) {
  if (level <= 0) return "detached: running trials go on by themselves, hpsearch resume takes them up";
  if (level == 1)
    return std::string("interrupted: nothing new starts, running trials ") +
           (checkpoint ? "pause at their next report" : "run to their end") + "; Ctrl-C again ends them";
  return level == 2 ? "ending the running trials; Ctrl-C again kills them" : "killing the running trials";
}

constexpr int kLateReports = 3;  // One or two may be on their way when the verdict arrives.

bool nothing_usable(FailureReason reason) {
  return reason == FailureReason::no_metric || reason == FailureReason::bad_report || reason == FailureReason::launch;
}

}  // namespace

std::vector<std::string> Notices::lines(const Study& study, const std::vector<Event>& events) {
  std::vector<std::string> lines;
  for (const Event& event : events) {
    const std::string text = notice(study, event);
    if (!text.empty()) lines.push_back(cut_to_width(one_line(text), kNoticeWidth));
  }
  return lines;
}

std::string Notices::notice(const Study& study, const Event& event) {
  if (const auto* fact = std::get_if<Fact>(&event.body)) return of_fact(study, *fact);
  return of_decision(study, std::get<Decision>(event.body));
}

std::string Notices::of_fact(const Study& study, const Fact& fact) {
  if (const auto* report = std::get_if<Reported>(&fact)) return of_report(study, *report);
  if (const auto* host = std::get_if<HostSeen>(&fact)) return of_host(study, *host);
  if (const auto* word = std::get_if<Interrupted>(&fact); word && first("interrupted " + std::to_string(word->level)))
    return interruption_text(word->level, study.spec().trial.checkpoint);
  return "";
}

// What is as it should be is told by the progress; a host that comes back after trouble is not.
std::string Notices::of_host(const Study& study, const HostSeen& host) {
  const bool troubled = troubled_.contains(host.host);
  const bool expected = host.state == HostState::off || host.state == HostState::launching || host.state == HostState::releasing;
  if (expected && (host.reason.empty() || host.state == HostState::launching)) return "";
  if (host.state == HostState::up) return troubled_.erase(host.host) > 0 ? "host " + host.host + ": up again" : "";
  if (!troubled) troubled_.insert(host.host);
  const FleetHost* known = study.fleet().find(host.host);
  const bool busy = known && !known->indices.empty();
  const std::string text = "host " + host.host + ": " + to_string(host.state) + (host.reason.empty() ? "" : ": " + host.reason);
  return "warning: " + text + (host.state == HostState::unreachable && busy ? "; its trials go on by themselves" : "");
}

std::string Notices::of_report(const Study& study, const Reported& report) {
  if (!report.step) return "";
  const std::string trial = "warning: trial " + std::to_string(report.trial);
  if (*report.step <= 0 && first("step zero"))
    return trial + " reported step 0: it is kept as a baseline and never ranked; the first step of training is 1";
  const Attempt* attempt = study.trial(report.trial).current();
  const bool late = attempt && attempt->number == report.attempt && attempt->verdict && *report.step > study.trial(report.trial).resource;
  if (!late || ++late_[report.trial] < kLateReports || !first("late")) return "";
  return trial + " sent reports on and on after the one that ended it, which do not count: flush the output after each "
                 "report, or early stopping saves nothing";
}

// What a completed trial did that makes early stopping blind.
std::string Notices::of_completed(const Study& study, const Trial& trial) {
  const auto& resource = study.spec().resource;
  if (!resource || trial.state != TrialState::completed) return "";
  if (trial.resource > 0 || !first("no step")) return "";
  return "warning: trial " + std::to_string(trial.number) + " reported no step: early stopping can't judge it";
}

std::string Notices::of_decision(const Study& study, const Decision& decision) {
  if (const auto* settled = std::get_if<TrialSettled>(&decision)) {
    if (settled->state == TrialState::completed) return of_completed(study, study.trial(settled->trial));
    if (!nothing_usable(settled->failure) || !first(to_string(settled->failure))) return "";
    return "warning: trial " + std::to_string(settled->trial) + " failed (" + to_string(settled->failure) +
           "): " + settled->detail;
  }
  const auto* ended = std::get_if<StudyEnded>(&decision);
  if (!ended || ended->exit_status == 0) return "";
  return "warning: the study ended: " + ended->reason + (study.any_value() ? "" : "; no trial has a finite value");
}

}  // namespace hpsearch
