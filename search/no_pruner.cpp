#include "search/no_pruner.h"

#include "trials/number.h"

namespace hpsearch {

NoPruner::NoPruner(const std::optional<Resource>& resource) {
  if (!resource) return;
  resource_ = resource->name;
  top_ = resource->max;
}

Admission NoPruner::admit(const Study&) const { return {.bracket = 0, .milestone = top_}; }

Judgement NoPruner::judge(const Study&, const Reported& report, double) const {
  Judgement judgement;
  judgement.milestone = top_;
  judgement.reason = "nothing is stopped early";
  if (!top_ || !report.step || *report.step < *top_) return judgement;
  judgement.verdict = Verdict::complete;
  judgement.milestone.reset();
  judgement.reason = "reached " + resource_ + " " + format_number(*top_) + ": complete";
  return judgement;
}

}  // namespace hpsearch
