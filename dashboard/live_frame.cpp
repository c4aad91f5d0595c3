#include "dashboard/live_frame.h"

#include <algorithm>

#include "dashboard/attempt_view.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr std::size_t kMostRunning = 64;

std::string running_line(const Study& study, const Trial& trial) {
  std::string text = "trial " + std::to_string(trial.number);
  text += trial.current()->started ? "" : " starting";
  if (study.spec().resource && trial.resource > 0)
    text += " " + one_line(study.spec().resource->name) + " " + format_number(trial.resource);
  if (trial.value) text += " " + one_line(study.spec().metric().name) + " " + short_value(trial.value);
  return text + " on " + one_line(slot_text(trial.current()->slot));
}

std::string interruption_word(const Study& study) {
  switch (study.interruption()) {
    case 0: return study.stop_requested() ? "stopping: nothing new starts" : "";
    case 1: return "interrupted: nothing new starts; Ctrl-C again ends running trials";
    case 2: return "ending running trials; Ctrl-C again kills them";
    default: return "killing running trials";
  }
}

std::string row(const std::string& title, const std::string& text) { return pad_right(title, 8) + text; }

// Running trials fill what height is left; the last line then counts those that don't fit.
void add_running(std::vector<std::string>& lines, const LiveSnapshot& snapshot, std::size_t height) {
  const std::size_t room = height > lines.size() ? height - lines.size() : 0;
  const std::size_t count = snapshot.running.size();
  const std::size_t shown = count <= room ? count : room > 0 ? room - 1 : 0;
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(row(i == 0 ? "running" : "", snapshot.running[i]));
  if (shown < count && room > 0)
    lines.push_back(row("", "and " + std::to_string(snapshot.status.slots_busy - static_cast<std::int64_t>(shown)) + " more"));
}

}  // namespace

LiveSnapshot live_snapshot(const Study& study, Time now) {
  LiveSnapshot snapshot;
  snapshot.status = status_of(study, now);
  snapshot.taken_at = now;
  snapshot.ticking = study.in_session() && !study.ended();
  snapshot.word = interruption_word(study);
  for (int number : study.live()) {
    if (snapshot.running.size() == kMostRunning) break;
    snapshot.running.push_back(running_line(study, study.trial(number)));
  }
  return snapshot;
}

std::vector<std::string> live_frame(LiveSnapshot snapshot, Time now, std::size_t width, std::size_t height) {
  StudyStatus& status = snapshot.status;
  if (snapshot.ticking && now > snapshot.taken_at) status.running_time += now - snapshot.taken_at;
  std::vector<std::string> lines;
  lines.push_back(row("study", one_line(status.name) + (snapshot.word.empty() ? "" : ", " + snapshot.word)));
  lines.push_back(row("trials", trials_text(status)));
  lines.push_back(row("best", best_line(status)));
  lines.push_back(row("slots", std::to_string(status.slots_busy) + " of " + std::to_string(status.slots) + " busy"));
  lines.push_back(row("time", time_text(status)));
  add_running(lines, snapshot, height);
  lines.resize(std::min(lines.size(), height));
  for (std::string& line : lines) line = cut_to_width(line, width);
  return lines;
}

}  // namespace hpsearch
