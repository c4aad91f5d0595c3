#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"
#include "trials/random.h"

namespace hpsearch::testing {
namespace {

struct PrunerCase {
  std::string name, minimizing, maximizing;
};

PrunerCase asha_case(const std::string& name, const std::string& variant, int eta, int min, int max,
                     const std::string& options = "") {
  return {name, asha_text(variant, eta, min, max, options), asha_text(variant, eta, min, max, options, "maximize")};
}

PrunerCase none_case(const std::string& name, const std::string& resource) {
  StudyText study;
  study.resource = resource;
  const std::string minimizing = study.text();
  study.goal = "maximize";
  return {name, minimizing, study.text()};
}

void PrintTo(const PrunerCase& c, std::ostream* out) { *out << c.name; }

std::string shown(const std::optional<Promotion>& p) {
  if (!p) return "none";
  return std::to_string(p->trial) + " " + std::to_string(p->from) + " " + std::to_string(p->to) + " " + p->reason;
}

std::string shown(const Event& event) { return event_body(event.body).dump(); }

// Random trials on four workers, a quarter of the values not finite, steps of random width; `sign` mirrors values.
void live(ScriptedStudy& study, std::uint64_t seed, int events, double sign = 1) {
  RandomStream random(seed, "live", 1);
  std::vector<std::pair<int, double>> running;
  for (int i = 0; i < events; ++i) {
    if (running.size() < 4) {
      const auto promotion = study.promote();
      const int trial = promotion ? promotion->trial : study.launch();
      running.emplace_back(trial, study.study().trial(trial).resource);
    }
    const std::size_t at = random.below(running.size());
    auto& [trial, step] = running[at];
    step += 1.0 + static_cast<double>(random.below(4));
    const double value = sign * static_cast<double>(random.below(30));
    const bool broken = random.below(8) == 0;
    const auto judged = study.report(trial, step, broken ? std::numeric_limits<double>::quiet_NaN() : value);
    const bool fails = random.below(20) == 0;
    if (!fails && (!judged || judged->verdict == Verdict::go_on) && step < 100) continue;
    study.end(trial, fails ? std::optional(TrialState::failed) : std::nullopt);
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

class PrunerContract : public ::testing::TestWithParam<PrunerCase> {
 protected:
  void SetUp() override { live(study_, 3, 1500); }

  template <typename E>
  static const E* decision(const Event& event) {
    const auto* d = std::get_if<Decision>(&event.body);
    return d ? std::get_if<E>(d) : nullptr;
  }

  ScriptedStudy study_{GetParam().minimizing};
};

TEST_P(PrunerContract, EveryDecisionFollowsFromItsPrefixOfTheLog) {
  Study study;
  const auto pruner = make_pruner(study_.spec());
  for (const Event& event : study_.log()) {
    if (const auto* judged = decision<Judged>(event)) {
      const Judgement again = pruner->judge(study, study.unjudged()->report, study.unjudged()->value);
      Judged copy = *judged;
      copy.verdict = again.verdict;
      copy.milestone = again.milestone;
      copy.entries = again.entries;
      copy.reason = again.reason;
      ASSERT_EQ(event_body(Decision(copy)).dump(), shown(event));
    }
    if (const auto* promoted = decision<Promoted>(event)) {
      const auto again = pruner->next(study);
      ASSERT_TRUE(again);
      EXPECT_EQ(again->trial, promoted->trial);
      EXPECT_EQ(again->to, promoted->to);
    }
    study.apply(event);
    pruner->apply(study, event);
  }
  EXPECT_EQ(shown(pruner->next(study)), shown(study_.pruner().next(study_.study())));
}

TEST_P(PrunerContract, AskingChangesNothing) {
  const auto before = shown(study_.pruner().next(study_.study()));
  Reported report;
  report.trial = study_.launch();
  report.step = 30;
  const std::string first = study_.pruner().judge(study_.study(), report, 1).reason;
  EXPECT_EQ(study_.pruner().judge(study_.study(), report, 1).reason, first);
  EXPECT_EQ(shown(study_.pruner().next(study_.study())), before);
}

TEST_P(PrunerContract, MilestonesLieAheadAndWithinTheResource) {
  const double top = study_.spec().resource ? study_.spec().resource->max : 0;
  Study study;
  for (const Event& event : study_.log()) {
    if (const auto* suggested = decision<TrialSuggested>(event); suggested && suggested->milestone) {
      EXPECT_TRUE(*suggested->milestone > 0 && *suggested->milestone <= top);
    }
    if (const auto* judged = decision<Judged>(event)) {
      const double step = *study.unjudged()->report.step;
      EXPECT_EQ(judged->verdict == Verdict::complete, step >= top);
      EXPECT_EQ(judged->milestone.has_value(), judged->verdict == Verdict::go_on);
      const double next = judged->milestone.value_or(top);
      EXPECT_TRUE(!judged->milestone || (next > step && next <= top));
    }
    if (const auto* promoted = decision<Promoted>(event)) {
      EXPECT_EQ(study.trial(promoted->trial).state, TrialState::paused);
      EXPECT_TRUE(study.trial(promoted->trial).last->finite());
      EXPECT_TRUE(promoted->to > study.trial(promoted->trial).resource && promoted->to <= top);
      EXPECT_LE(promoted->rank, promoted->k);
    }
    study.apply(event);
  }
}

TEST_P(PrunerContract, RungsAreEnteredOnceLowestFirstWithTruePlaces) {
  std::map<double, std::vector<double>> rungs;
  std::map<int, double> highest;
  for (const Event& event : study_.log()) {
    const auto* judged = decision<Judged>(event);
    if (!judged) continue;
    for (const RungEntry& entry : judged->entries) {
      EXPECT_GT(entry.level, highest[judged->trial]);
      highest[judged->trial] = entry.level;
      auto& values = rungs[entry.level];
      EXPECT_EQ(entry.n, static_cast<std::int64_t>(values.size()) + 1);
      const auto ahead = std::count_if(values.begin(), values.end(), [&](double other) {
        return !std::isfinite(entry.value) || (std::isfinite(other) && other <= entry.value);
      });
      EXPECT_EQ(entry.rank, ahead + 1);
      values.push_back(entry.value);
    }
  }
}

TEST_P(PrunerContract, MaximizingMirrorsMinimizing) {
  ScriptedStudy mirror(GetParam().maximizing);
  live(mirror, 3, 1500, -1);
  ASSERT_EQ(mirror.log().size(), study_.log().size());
  for (std::size_t i = 0; i < mirror.log().size(); ++i) {
    const auto *a = decision<Judged>(study_.log()[i]), *b = decision<Judged>(mirror.log()[i]);
    ASSERT_EQ(a == nullptr, b == nullptr);
    if (!a) continue;
    EXPECT_EQ(a->reason, b->reason);
    EXPECT_EQ(a->verdict, b->verdict);
  }
}

INSTANTIATE_TEST_SUITE_P(None, PrunerContract,
                         ::testing::Values(none_case("free", ""), none_case("resource", resource_text(1, 27))));

INSTANTIATE_TEST_SUITE_P(
    Asha, PrunerContract,
    ::testing::Values(asha_case("promote", "promote", 3, 1, 27), asha_case("stop", "stop", 3, 1, 27),
                      asha_case("promote_ceil", "promote", 2, 2, 40, R"(, "promote_rounding": "ceil")"),
                      asha_case("stop_early", "stop", 2, 1, 50, R"(, "n_min": 1)"),
                      asha_case("exact", "stop", 3, 1, 27, R"(, "milestone": "exact")"),
                      asha_case("listed", "promote", 3, 1, 30, R"(, "levels": [2, 5, 20])")));

}  // namespace
}  // namespace hpsearch::testing
