#include "dashboard/status_page.h"

#include <utility>

#include "dashboard/study_argument.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"

namespace hpsearch {

namespace {

const char* phase_name(StudyPhase phase) {
  switch (phase) {
    case StudyPhase::not_started: return "not started";
    case StudyPhase::running: return "running";
    case StudyPhase::interrupted: return "interrupted";
    case StudyPhase::finished: return "finished";
  }
  return "";
}

std::string phase_text(const StudyStatus& status) {
  std::string text = phase_name(status.phase);
  if (status.holder)
    text += " under pid " + std::to_string(status.holder->pid) + " on " + one_line(status.holder->host) + " since " +
            local_time(status.holder->since);
  if (status.phase == StudyPhase::finished && status.ended) text += ": " + one_line(status.ended->reason);
  if (status.killed) text += ": its scheduler ended without a word; trials may still run, resume takes them up";
  return text;
}

std::string row(const char* title, const std::string& text) { return pad_right(title, 8) + text + "\n"; }

Json counts_json(const StudyStatus& status) {
  Json result = {{"total", status.trials()}};
  for (int i = 0; i < static_cast<int>(status.counts.size()); ++i)
    result[to_string(static_cast<TrialState>(i))] = status.counts[static_cast<std::size_t>(i)];
  return result;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json limits_json(const StudyStatus& status) {
  const auto seconds = [](const std::optional<Span>& span) { return span ? seconds_json(*span) : Json(nullptr); };
  return {{"trials", or_null(status.trial_limit)},
          {"trials_left", or_null(status.trials_left())},
          {"time_s", seconds(status.time_limit)},
          {"time_left_s", seconds(status.time_left())}};
}

Json holder_json(const std::optional<StatusHolder>& holder) {
  if (!holder) return nullptr;
  return {{"pid", holder->pid}, {"host", holder->host}, {"since", iso_time(holder->since)}};
}

// The option without which resume would find the limit that ended the study reached again; none where no option helps.
std::optional<std::string> more_of_the_limit(const StudyStatus& status) {
  if (const auto left = status.time_left(); left && *left <= Span(0))
    return " --time " + std::to_string((2 * status.time_limit->count() + 999) / 1000) + "s";
  const std::string reason = status.ended ? status.ended->reason : "";
  if (reason == kAllTrialsDone) return " --more-trials 20";
  return reason == kTooManyFailures ? std::optional(std::string()) : std::nullopt;
}

}  // namespace

std::vector<std::string> next_steps(const StudyStatus& status, const std::string& study) {
  const auto verb = [&, program = program_argument()](const std::string& name, const std::string& options = "") {
    return program + " " + name + " " + study + options;
  };
  switch (status.phase) {
    case StudyPhase::running: return {verb("status", " --watch"), verb("stop")};
    case StudyPhase::not_started:
    case StudyPhase::interrupted: return {verb("resume")};
    case StudyPhase::finished: break;
  }
  std::vector<std::string> steps{status.best ? verb("best", " --command") : verb("trials")};
  if (const auto more = more_of_the_limit(status)) steps.push_back(verb("resume", *more));
  else if (status.ended && status.ended->reason.ends_with("limit is reached")) steps.push_back(program_argument() + " resume SPACE-FILE, with a higher limit in it");
  return steps;
}

std::string status_text(const StudyStatus& status, const std::string& study) {
  std::string text = row("study", one_line(status.name) + " in " + one_line(status.folder));
  text += row("state", phase_text(status));
  text += row("trials", trials_text(status));
  text += row("best", best_line(status));
  if (status.best) text += row("", params_text(status.best->params));
  text += row("slots", std::to_string(status.slots_busy) + " of " + std::to_string(status.slots) + " busy");
  text += row("time", time_text(status));
  const char* title = "next";
  for (const std::string& step : next_steps(status, study)) text += row(std::exchange(title, ""), step);
  return text;
}

Json status_json(const StudyStatus& status, const std::string& study) {
  return {{"study", status.name},
          {"folder", status.folder},
          {"state", phase_name(status.phase)},
          {"killed", status.killed},
          {"scheduler", holder_json(status.holder)},
          {"ended", status.ended ? Json(status.ended->reason) : Json(nullptr)},
          {"exit_status", status.ended ? Json(status.ended->exit_status) : Json(nullptr)},
          {"metric", status.metric},
          {"goal", status.goal},
          {"resource", status.resource.empty() ? Json(nullptr) : Json(status.resource)},
          {"trials", counts_json(status)},
          {"best", status.best ? trial_json(*status.best) : Json(nullptr)},
          {"slots", {{"total", status.slots}, {"busy", status.slots_busy}}},
          {"running_time_s", seconds_json(status.running_time)},
          {"limits", limits_json(status)},
          {"next", next_steps(status, study)}};
}

}  // namespace hpsearch
