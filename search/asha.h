#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "search/asha_options.h"
#include "search/pruner.h"
#include "search/rung.h"

namespace hpsearch {

// Asynchronous successive halving (Li et al., MLSys 2020). Promote: a trial pauses at each rung and goes on once it
// is among the best of the rung. Stop: it goes on unless it is outside them on arrival. A report enters every rung at
// or below its step that the trial has not passed yet; nothing decided is revised later.
class Asha : public Pruner {
 public:
  explicit Asha(AshaOptions options);

  void apply(const Study& study, const Event& event) override;
  Admission admit(const Study& study) const override;
  Judgement judge(const Study& study, const Reported& report, double value) const override;
  std::optional<Promotion> next(const Study& study) const override;

 private:
  void fold(const Judged& judged, Seq seq);
  void fold(const Promoted& promoted);
  void fold(const TrialSettled& settled);

  std::size_t passed(int trial) const;
  std::optional<std::int64_t> missed(std::size_t from, std::size_t to, double step) const;
  std::vector<RungEntry> entries(std::size_t from, std::size_t to, double step, double value) const;
  RungEntry entry(std::size_t rung, double step, double value) const;
  bool fails(const RungEntry& entry) const;
  Judgement verdict(std::vector<RungEntry> entries, double step) const;
  Promotion promotion(const Study& study, std::size_t rung, std::int64_t k, Rung::Candidate candidate) const;

  AshaOptions options_;
  std::vector<Rung> rungs_;
  std::unordered_map<int, std::size_t> passed_;   // Rungs that a trial has entered, counted from the lowest.
  std::unordered_map<int, std::size_t> at_rest_;  // The rung at which a trial was paused and not yet promoted.
};

}  // namespace hpsearch
