#include "dashboard/attempt_view.h"

#include "dashboard/text_table.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

std::string end_text(const AttemptEnd& end) {
  switch (end.kind) {
    case EndKind::exited: return "exit " + std::to_string(end.code);
    case EndKind::signalled: return "signal " + signal_name(end.code);
    case EndKind::timed_out: return "timed out";
    case EndKind::silent: return "silent";
    case EndKind::launch_failed: return "not launched";
    case EndKind::lost: return "lost";
  }
  return "";
}

std::string verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::go_on: return "";
    case Verdict::pause: return "paused, ";
    case Verdict::stop: return "stopped, ";
    case Verdict::complete: return "complete, ";
  }
  return "";
}

// After a verdict or an order any end counts as obeyed.
bool went_wrong(const Attempt& attempt) {
  return attempt.end && !attempt.verdict && !attempt.end->ordered &&
         (attempt.end->kind != EndKind::exited || attempt.end->code != 0);
}

std::optional<Time> reached(bool happened, Time time) { return happened ? std::optional(time) : std::nullopt; }

std::string took(const Attempt& attempt) {
  if (!attempt.started || !attempt.ended) return "-";
  return format_span_ms((attempt.ended_at - attempt.started_at).count());
}

std::string resumed_from(const Attempt& attempt) {
  if (attempt.resume_attempt == 0) return "-";
  const std::string name = attempt.resume_checkpoint.empty() ? "" : " " + attempt.resume_checkpoint;
  return "attempt " + std::to_string(attempt.resume_attempt) + name;
}

std::string detail(const Attempt& attempt) {
  if (attempt.rejected_report) return "report refused: " + attempt.rejection;
  if (attempt.end && !attempt.end->detail.empty()) return attempt.end->detail;
  if (attempt.end && !attempt.end->out_of_memory.empty()) return attempt.end->out_of_memory;
  return attempt.order ? attempt.order->reason : "";
}

std::string tail_text(const Attempt& attempt) {
  if (!went_wrong(attempt) || attempt.end->log_tail.empty()) return "";
  std::string text = "last lines of attempt " + std::to_string(attempt.number) + ":\n" + printable(attempt.end->log_tail);
  if (text.back() != '\n') text += '\n';
  return text;
}

Json end_json(const Attempt& attempt) {
  if (!attempt.end) return nullptr;
  return {{"kind", to_string(attempt.end->kind)},
          {"code", attempt.end->code},
          {"ordered", attempt.end->ordered},
          {"detail", attempt.end->detail},
          {"log_tail", attempt.end->log_tail}};
}

Json attempt_json(const Attempt& attempt, const std::string& folder) {
  const bool resumed = attempt.resume_attempt > 0;
  return {{"attempt", attempt.number},
          {"id", attempt.id},
          {"state", attempt_state(attempt)},
          {"host", attempt.slot.host},
          {"slot", attempt.slot.index},
          {"devices", attempt.slot.devices},
          {"pid", attempt.started ? Json(attempt.pid) : Json(nullptr)},
          {"planned", iso_time(attempt.planned_at)},
          {"started", time_json(reached(attempt.started, attempt.started_at))},
          {"ended", time_json(reached(attempt.ended, attempt.ended_at))},
          {"resumed_from_attempt", resumed ? Json(attempt.resume_attempt) : Json(nullptr)},
          {"resumed_from_checkpoint", resumed ? Json(attempt.resume_checkpoint) : Json(nullptr)},
          {"checkpoint", attempt.checkpoint.empty() ? Json(nullptr) : Json(attempt.checkpoint)},
          {"verdict", attempt.verdict ? Json(to_string(*attempt.verdict)) : Json(nullptr)},
          {"detail", detail(attempt)},
          {"end", end_json(attempt)},
          {"folder", folder}};
}

}  // namespace

std::string attempt_state(const Attempt& attempt) {
  const std::string word = attempt.verdict ? verdict_word(*attempt.verdict) : "";
  if (attempt.end) return word + end_text(*attempt.end);
  return word + (attempt.started ? "running" : "starting");
}

std::string slot_text(const Slot& slot) {
  std::string devices;
  for (const std::string& device : slot.devices) devices += (devices.empty() ? "" : ",") + device;
  return slot.host + ":" + std::to_string(slot.index) + (devices.empty() ? "" : " (" + devices + ")");
}

std::string attempts_text(const Trial& trial, const std::vector<std::string>& folders) {
  TextTable table({{"attempt", Align::right}, {"slot"}, {"started"}, {"took", Align::right}, {"end"},
                   {"from"}, {"checkpoint"}, {"detail"}});
  for (const Attempt& attempt : trial.attempts)
    table.add({std::to_string(attempt.number), slot_text(attempt.slot),
               attempt.started ? local_time(attempt.started_at) : "-", took(attempt), attempt_state(attempt),
               resumed_from(attempt), attempt.checkpoint.empty() ? "-" : attempt.checkpoint, detail(attempt)});
  std::string text = table.text();
  for (std::size_t i = 0; i < trial.attempts.size(); ++i) {
    text += tail_text(trial.attempts[i]);
    if (i < folders.size()) text += "attempt " + std::to_string(i + 1) + " in " + one_line(folders[i]) + "\n";
  }
  return text;
}

Json attempts_json(const Trial& trial, const std::vector<std::string>& folders) {
  Json result = Json::array();
  for (std::size_t i = 0; i < trial.attempts.size(); ++i)
    result.push_back(attempt_json(trial.attempts[i], i < folders.size() ? folders[i] : ""));
  return result;
}

}  // namespace hpsearch
