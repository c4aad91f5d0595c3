#include "dashboard/plain_lines.h"

#include "dashboard/study_status.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

const TrialSettled* trial_end(const Study& study, const Event& event) {
  const auto* settled = event_as<TrialSettled>(event);
  return settled && study.trial(settled->trial).finished() ? settled : nullptr;
}

std::string value_at(const Study& study, const Trial& trial) {
  if (!trial.value) return "";
  std::string text = "; " + study.spec().metric().name + " " + short_value(trial.value);
  if (study.spec().resource && trial.resource > 0)
    text += " at " + study.spec().resource->name + " " + format_number(trial.resource);
  return text;
}

std::string end_line(const Study& study, const Trial& trial, Time at) {
  const TrialView view = view_of(trial);
  std::string text = local_time(at) + " trial " + std::to_string(trial.number) + " " + state_text(view);
  if (const std::string hint = failure_hint(trial); trial.state == TrialState::failed && !hint.empty()) text += ": " + hint;
  text += value_at(study, trial);
  if (study.best() == trial.number) text += ", best so far";
  return text + "; " + params_text(trial.suggestion.params);
}

std::string progress_line(const Study& study, Time at) {
  const StudyStatus status = status_of(study, at);
  return local_time(at) + " " + trials_text(status) + "; best " + best_line(status) + "; time " + time_text(status);
}

std::string last_line(const Study& study, Time at) {
  const std::string state = study.ended() ? "finished, " + study.ended()->reason : std::string("interrupted");
  return local_time(at) + " study " + study.name() + " " + state + "; best " + best_line(status_of(study, at));
}

std::string tidy(const std::string& line) { return cut_to_width(one_line(line), kPlainWidth); }

}  // namespace

std::vector<std::string> PlainLines::lines(const Study& study, const std::vector<Event>& events) {
  std::vector<std::string> lines;
  if (events.empty() || !study.created()) return lines;
  const Time now = events.back().at;
  for (const Event& event : events)
    if (const TrialSettled* settled = trial_end(study, event))
      lines.push_back(tidy(end_line(study, study.trial(settled->trial), event.at)));
  if (event_as<SessionEnded>(events.back())) lines.push_back(tidy(last_line(study, now)));
  else if (progress_due(now)) lines.push_back(tidy(progress_line(study, now)));
  return lines;
}

// The first line waits too: there is nothing to say at the start that the start line has not said.
bool PlainLines::progress_due(Time now) {
  if (!last_progress_) last_progress_ = now;
  if (now - *last_progress_ < kProgressEvery) return false;
  last_progress_ = now;
  return true;
}

}  // namespace hpsearch
