#include "dashboard/final_summary.h"

#include <algorithm>
#include <filesystem>

#include "dashboard/best_view.h"
#include "dashboard/rung_table.h"
#include "dashboard/status_page.h"
#include "dashboard/study_argument.h"
#include "dashboard/text_width.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr std::size_t kHintWidth = 120;

std::string state_line(const Study& study, const std::string& name, const StudyStatus& status) {
  const std::string state = study.ended() ? study.ended()->reason : std::string("interrupted, not finished");
  return "study " + name + ": " + one_line(state) + "; " + format_span_ms(status.running_time.count()) +
         " of running\ntrials " + trials_text(status) + "\n";
}

std::string first_failure(const Study& study) {
  for (const Trial& trial : study.trials()) {
    if (trial.state != TrialState::failed) continue;
    const std::string hint = failure_hint(trial);
    return "first failure: trial " + std::to_string(trial.number) + " " + state_text(view_of(trial)) +
           (hint.empty() ? "" : ": " + cut_to_width(hint, kHintWidth)) + "\n";
  }
  return "";
}

// Programs that end before the resource's max are complete there: right for some, a forgotten argument for others.
std::string short_note(const Study& study) {
  const auto& resource = study.spec().resource;
  if (!resource || study.count(TrialState::completed) == 0) return "";
  double highest = 0;
  for (const Trial& trial : study.trials()) highest = std::max(highest, trial.resource);
  if (highest >= resource->max || highest <= 0) return "";
  return "note: no trial has reached " + resource->name + " " + format_number(resource->max) + "; those that ended by themselves, at " +
         format_number(highest) + " or before, count as completed\n";
}

std::string next_text(const StudyStatus& status, const std::string& name) {
  std::string text;
  for (const std::string& step : next_steps(status, name)) text += (text.empty() ? "next: " : "      ") + step + "\n";
  return text;
}

}  // namespace

std::string final_summary(const Study& study, const std::string& folder) {
  const StudyStatus status = status_of(study, study.last_at());
  const std::string note = better_unfinished_note(study);
  std::string text = state_line(study, std::filesystem::path(folder).filename().string(), status) + first_failure(study) + rung_table(study);
  if (!note.empty()) text += "note: " + note + "\n";
  text += short_note(study);
  if (status.best) text += "best configuration, " + best_text(study, status.best->number);
  text += "study in " + folder + "\n";
  text += next_text(status, study_argument(folder));
  return text + "best: " + (status.best ? best_line(status) : std::string("none: no trial has a finite value")) + "\n";
}

}  // namespace hpsearch
