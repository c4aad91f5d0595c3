#include "dashboard/study_status.h"

#include <numeric>

#include "dashboard/spending_view.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr std::array kShown{TrialState::completed, TrialState::stopped,  TrialState::failed, TrialState::cancelled,
                            TrialState::running,   TrialState::starting, TrialState::paused, TrialState::queued};

std::string span_text(Span span) { return format_span_ms(span.count()); }

StudyPhase phase_of(const Study& study) {
  if (study.ended()) return StudyPhase::finished;
  if (study.in_session()) return StudyPhase::running;
  return study.fleet().hosts().empty() ? StudyPhase::not_started : StudyPhase::interrupted;
}

}  // namespace

std::int64_t StudyStatus::trials() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

std::optional<std::int64_t> StudyStatus::trials_left() const {
  if (!trial_limit) return std::nullopt;
  return std::max<std::int64_t>(0, *trial_limit - trials());
}

std::optional<Span> StudyStatus::time_left() const {
  if (!time_limit) return std::nullopt;
  return std::max(Span(0), *time_limit - running_time);
}

StudyStatus status_of(const Study& study, Time now) {
  const StudySpec& spec = study.spec();
  StudyStatus status;
  status.name = study.name();
  status.phase = phase_of(study);
  status.ended = study.ended();
  status.metric = spec.metric().name;
  status.goal = spec.maximize() ? "maximize" : "minimize";
  if (spec.resource) status.resource = spec.resource->name;
  for (TrialState state : kShown) status.counts[static_cast<std::size_t>(state)] = study.count(state);
  if (const auto best = study.best()) status.best = view_of(study.trial(*best));
  status.slots = study.fleet().capacity();
  status.slots_busy = static_cast<std::int64_t>(study.live().size());
  status.running_time = study.running_time(now);
  status.trial_limit = spec.limits.trials;
  status.time_limit = spec.limits.time;
  status.spends = hpsearch::spends(spec);
  return status;
}

std::string counts_text(const StudyStatus& status) {
  std::string text;
  for (TrialState state : kShown)
    if (const std::int64_t n = status.count(state))
      text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + to_string(state);
  return text.empty() ? "none yet" : text;
}

std::string best_line(const StudyStatus& status) {
  if (!status.best) return "none yet";
  const TrialView& best = *status.best;
  std::string text = "trial " + std::to_string(best.number) + ": " + one_line(status.metric) + " " + short_value(best.value);
  if (!status.resource.empty() && best.resource > 0)
    text += " at " + one_line(status.resource) + " " + format_number(best.resource);
  return text + " (" + state_text(best) + ")";
}

std::string time_text(const StudyStatus& status) {
  const std::string spent = span_text(status.running_time);
  if (!status.time_limit) return spent;
  return spent + " of " + span_text(*status.time_limit) + ", " + span_text(*status.time_left()) + " left";
}

std::string trials_text(const StudyStatus& status) {
  std::string text = std::to_string(status.trials());
  if (status.trial_limit) text += " of " + std::to_string(*status.trial_limit);
  return text + ": " + counts_text(status);
}

}  // namespace hpsearch
