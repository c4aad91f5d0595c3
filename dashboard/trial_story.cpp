#include "dashboard/trial_story.h"

#include <set>

#include "dashboard/attempt_view.h"
#include "dashboard/plain_lines.h"
#include "dashboard/text_width.h"
#include "dashboard/trial_view.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

std::string with_reason(const std::string& text, const std::string& reason) {
  return reason.empty() ? text : text + ": " + reason;
}

std::string attempt_name(int attempt) { return "attempt " + std::to_string(attempt); }

std::string entry_text(const RungEntry& entry) {
  return "entered rung " + format_number(entry.level) + " with " + short_number(entry.value) + ": place " +
         std::to_string(entry.rank) + " of " + std::to_string(entry.n) + ", " + std::to_string(entry.k) + " kept";
}

std::string order_text(OrderKind kind) {
  switch (kind) {
    case OrderKind::pause_at_report: return "told to pause at its next report";
    case OrderKind::terminate: return "told to end";
    case OrderKind::kill: return "killed";
  }
  return "";
}

// What each event means for its trial; empty: nothing to tell.
struct Narrator {
  std::string operator()(const StudyCreated&) const { return ""; }
  std::string operator()(const SpecChanged&) const { return ""; }
  std::string operator()(const SessionStarted&) const { return ""; }
  std::string operator()(const HostSeen&) const { return ""; }
  std::string operator()(const HostOrdered&) const { return ""; }
  std::string operator()(const SessionEnded&) const { return ""; }
  std::string operator()(const Enqueued&) const { return ""; }
  std::string operator()(const Interrupted&) const { return ""; }
  std::string operator()(const Reported&) const { return ""; }
  std::string operator()(const StudyEnded&) const { return ""; }

  std::string operator()(const TrialSuggested& e) const {
    return with_reason("suggested by " + e.suggestion.method, e.suggestion.reason) + "; " +
           params_text(e.suggestion.params);
  }

  std::string operator()(const AttemptPlanned& e) const {
    std::string text = attempt_name(e.attempt) + " given to " + slot_text(e.slot);
    if (e.milestone) text += ", judged at " + format_number(*e.milestone);
    if (e.resume_attempt > 0) text += ", goes on from attempt " + std::to_string(e.resume_attempt);
    return text + (e.resume_checkpoint.empty() ? "" : " checkpoint " + e.resume_checkpoint);
  }

  std::string operator()(const AttemptStarted& e) const {
    return attempt_name(e.attempt) + " started, pid " + std::to_string(e.pid);
  }

  std::string operator()(const ReportRejected& e) const {
    return attempt_name(e.attempt) + " sent a report that was refused: " + e.text;
  }

  std::string operator()(const AttemptEnded& e) const {
    Attempt attempt;
    attempt.end = e.end;
    const bool told = e.end.ordered || !e.end.detail.empty() || (e.end.kind == EndKind::exited && e.end.code == 0);
    return with_reason(attempt_name(e.attempt) + " ended, " + attempt_state(attempt), told ? e.end.detail : last_words(e.end));
  }

  std::string operator()(const CheckpointSaved&) const { return ""; }
  std::string operator()(const Contended& e) const { return "another program uses its GPU: " + e.text; }

  std::string operator()(const Excluded& e) const {
    return e.excluded ? "excluded by the user: it is no longer ranked" : "no longer excluded";
  }

  std::string operator()(const StopRequested&) const { return "the user asked to stop it"; }

  // The reason tells the place at one rung; those passed by the same report are told apart.
  std::string operator()(const Judged& e) const {
    const std::string reason = e.reason.empty() ? to_string(e.verdict) : e.reason;
    if (e.entries.size() == 1) return "with " + short_number(e.entries.front().value) + ", " + reason;
    std::string text;
    for (const RungEntry& entry : e.entries) text += entry_text(entry) + "; ";
    return text + reason;
  }

  std::string operator()(const Promoted& e) const { return e.reason; }

  std::string operator()(const EndOrdered& e) const { return with_reason(order_text(e.order), e.reason); }

  std::string operator()(const TrialSettled& e) const {
    if (e.state == TrialState::queued)
      return with_reason(e.counts_as_retry ? "back to the queue for a retry" : "back to the queue", e.detail);
    const std::string failure = failure_text(e.failure, e.code);
    return with_reason(to_string(e.state) + (failure.empty() ? "" : " (" + failure + ")"), e.detail);
  }
};

std::string narrated(const Event& event) {
  return visit_event(Narrator{}, event);
}

bool ends_a_trial(const Event& event) {
  const auto* settled = event_as<TrialSettled>(event);
  return settled && settled->state != TrialState::queued && settled->state != TrialState::paused;
}

}  // namespace

std::vector<std::string> story_lines(const std::vector<Event>& events) {
  std::vector<std::string> lines;
  for (const Event& event : events) {
    const std::optional<int> trial = trial_of(event);
    const std::string text = trial && !ends_a_trial(event) ? narrated(event) : "";
    if (text.empty()) continue;
    const std::string line = local_time(event.at) + " trial " + std::to_string(*trial) + " " + one_line(text);
    lines.push_back(cut_to_width(line, kPlainWidth));
  }
  return lines;
}

std::vector<StoryLine> trial_story(const TrialLog& log) {
  std::vector<StoryLine> story;
  std::set<int> started;
  for (const Event& event : log.events()) {
    std::string text = narrated(event);
    if (const auto* start = event_as<AttemptStarted>(event); start && !started.insert(start->attempt).second)
      text = attempt_name(start->attempt) + " taken up again";
    if (!text.empty()) story.push_back({event.at, event_kind(event.body), std::move(text)});
  }
  return story;
}

std::string story_text(const Trial& trial, const std::vector<StoryLine>& story) {
  std::string text = "trial " + std::to_string(trial.number) + ": " + state_text(view_of(trial)) + "\n";
  for (const StoryLine& line : story) text += "  " + local_time(line.at) + "  " + one_line(line.text) + "\n";
  return text;
}

Json story_json(const Trial& trial, const std::vector<StoryLine>& story) {
  Json lines = Json::array();
  for (const StoryLine& line : story)
    lines.push_back({{"at", iso_time(line.at)}, {"what", line.what}, {"text", line.text}});
  const TrialView view = view_of(trial);
  return {{"trial", trial.number},
          {"state", to_string(trial.state)},
          {"reason", reason_text(view).empty() ? Json(nullptr) : Json(reason_text(view))},
          {"detail", view.detail.empty() ? Json(nullptr) : Json(view.detail)},
          {"story", std::move(lines)}};
}

}  // namespace hpsearch
