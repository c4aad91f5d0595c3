#include "search/asha.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/asha_reason.h"

namespace hpsearch {

Asha::Asha(AshaOptions options) : options_(std::move(options)), rungs_(options_.ladder.rungs(), Rung(options_.goal)) {}

void Asha::apply(const Study&, const Event& event) {
  if (const auto* judged = event_as<Judged>(event)) fold(*judged, event.seq);
  if (const auto* promoted = event_as<Promoted>(event)) fold(*promoted);
  if (const auto* settled = event_as<TrialSettled>(event)) fold(*settled);
}

void Asha::fold(const Judged& judged, Seq seq) {
  for (const RungEntry& entry : judged.entries) {
    passed_[judged.trial] = options_.ladder.reached(entry.level);
    const auto rung = options_.ladder.rung_at(entry.level);
    if (!rung) continue;  // Judged by other levels, before the space file was changed.
    rungs_[*rung].enter(judged.trial, entry.value, seq);
    if (judged.verdict == Verdict::pause && !entry.skipped) at_rest_[judged.trial] = *rung;
  }
}

void Asha::fold(const Promoted& promoted) {
  const auto found = at_rest_.find(promoted.trial);
  if (found == at_rest_.end()) return;
  rungs_[found->second].withdraw(promoted.trial);
  at_rest_.erase(found);
}

void Asha::fold(const TrialSettled& settled) {
  const auto found = at_rest_.find(settled.trial);
  if (found == at_rest_.end()) return;
  rungs_[found->second].withdraw(settled.trial);
  if (settled.state == TrialState::paused) rungs_[found->second].offer(settled.trial);
  else if (settled.state != TrialState::queued) at_rest_.erase(found);
}

Admission Asha::admit(const Study&) const { return {.bracket = 0, .milestone = options_.ladder.next(0)}; }

Judgement Asha::judge(const Study&, const Reported& report, double value) const {
  const double step = report.step.value_or(0);
  const std::size_t from = passed(report.trial);
  const std::size_t to = std::max(from, options_.ladder.reached(step));
  if (const auto level = missed(from, to, step)) {
    Judgement judgement;
    judgement.verdict = Verdict::stop;
    judgement.reason = missed_reason(options_.resource, *level, step);
    return judgement;
  }
  return verdict(entries(from, to, step, value), step);
}

std::optional<std::int64_t> Asha::missed(std::size_t from, std::size_t to, double step) const {
  if (!options_.exact) return std::nullopt;
  for (std::size_t rung = from; rung < to; ++rung)
    if (static_cast<double>(options_.ladder.level(rung)) != step) return options_.ladder.level(rung);
  return std::nullopt;
}

std::size_t Asha::passed(int trial) const {
  const auto found = passed_.find(trial);
  return found == passed_.end() ? 0 : found->second;
}

std::vector<RungEntry> Asha::entries(std::size_t from, std::size_t to, double step, double value) const {
  std::vector<RungEntry> result;
  for (std::size_t rung = from; rung < to; ++rung) result.push_back(entry(rung, step, value));
  const bool at_top = step >= static_cast<double>(options_.ladder.top());
  for (std::size_t i = 0; i < result.size(); ++i) result[i].skipped = at_top || i + 1 < result.size();
  return result;
}

RungEntry Asha::entry(std::size_t rung, double step, double value) const {
  const auto level = static_cast<double>(options_.ladder.level(rung));
  const std::int64_t n = rungs_[rung].size() + 1;
  return {.level = level,
          .value = std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN(),
          .n = n,
          .k = options_.kept(n, rung),
          .rank = rungs_[rung].rank_of_next(value),
          .approximate = step > level};
}

bool Asha::fails(const RungEntry& entry) const {
  switch (options_.variant) {
    case AshaVariant::promote:
      // It would be paused for ever: no growth of the rung promotes it.
      return !std::isfinite(entry.value);
    case AshaVariant::stop:
      const bool judged = entry.n >= options_.fewest(*options_.ladder.rung_at(entry.level));
      return judged && (!std::isfinite(entry.value) || entry.rank > entry.k);
  }
  return false;
}

Judgement Asha::verdict(std::vector<RungEntry> entries, double step) const {
  Judgement judgement;
  if (step >= static_cast<double>(options_.ladder.top())) {
    judgement.verdict = Verdict::complete;
    judgement.reason = complete_reason(options_.resource, options_.ladder.top());
  } else if (entries.empty()) {
    judgement.milestone = options_.ladder.next(step);
    judgement.reason = "no new rung: goes on";
  } else {
    const auto failing = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return fails(e); });
    const RungEntry& telling = failing == entries.end() ? entries.back() : *failing;
    if (failing != entries.end()) judgement.verdict = Verdict::stop;
    else if (options_.variant == AshaVariant::promote) judgement.verdict = Verdict::pause;
    else judgement.milestone = options_.ladder.next(step);
    judgement.reason = verdict_reason(telling, step, judgement.verdict);
  }
  judgement.entries = std::move(entries);
  return judgement;
}

std::optional<Promotion> Asha::next(const Study& study) const {
  if (options_.variant == AshaVariant::stop) return std::nullopt;
  const auto paused = [&](int trial) {
    return study.trial(trial).state == TrialState::paused && !study.trial(trial).excluded;
  };
  for (std::size_t rung = rungs_.size(); rung-- > 0;) {
    const std::int64_t k = options_.kept(rungs_[rung].size(), rung);
    if (const auto best = rungs_[rung].best_waiting(k, paused)) return promotion(study, rung, k, *best);
  }
  return std::nullopt;
}

Promotion Asha::promotion(const Study& study, std::size_t rung, std::int64_t k, Rung::Candidate candidate) const {
  const auto level = static_cast<double>(options_.ladder.level(rung));
  Promotion result{.trial = candidate.trial,
                   .bracket = 0,
                   .from = level,
                   .to = static_cast<double>(options_.ladder.next(std::max(level, study.trial(candidate.trial).resource))),
                   .n = rungs_[rung].size(),
                   .k = k,
                   .rank = candidate.rank,
                   .reason = {}};
  result.reason = promotion_reason(result);
  return result;
}

}  // namespace hpsearch
