#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"

namespace hpsearch::testing {
namespace {

// One report of each value at the first rung: S = stopped, . = goes on.
std::string decisions(ScriptedStudy& study, const std::vector<double>& values, double step = 1) {
  std::string result;
  for (double value : values) {
    const int trial = study.launch();
    const bool stopped = study.report(trial, step, value)->verdict == Verdict::stop;
    result += stopped ? 'S' : '.';
    study.end(trial);
  }
  return result;
}

std::string decisions(const std::string& space, const std::vector<double>& values) {
  ScriptedStudy study(space);
  return decisions(study, values);
}

const std::vector<double> kValues = {.50, .60, .40, .45, .30, .55, .42, .42, .20};

TEST(AshaStop, NineReports) { EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9), kValues), "...S.SSS."); }

TEST(AshaStop, SmallestCountOfOneJudgesTheSecondReport) {
  EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9, R"(, "n_min": 1)"), kValues), ".S.S.SSS.");
}

TEST(AshaStop, MaximisingMirrorsMinimising) {
  std::vector<double> negated = kValues;
  for (double& value : negated) value = -value;
  EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9, "", "maximize"), negated), "...S.SSS.");
}

TEST(AshaStop, EqualValuesKeepTheFirstOnes) {
  EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9), {.5, .5, .5, .5, .5, .5}), "..SSSS");
}

TEST(AshaStop, NanGoesOnBelowTheSmallestCountAndIsStoppedFromIt) {
  EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9), {kNan, kNan, kNan, .9, kNan, kNan, kNan}), "..S.SSS");
  EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9, R"(, "n_min": 5)"), {.1, .2, kNan, kNan, .05}), ".....");
}

TEST(AshaStop, SmallestCountFollowsEtaOrTheListedLevels) {
  EXPECT_EQ(decisions(asha_text("stop", 4, 1, 16), {.1, .2, .3, .4}), "...S");
  EXPECT_EQ(decisions(asha_text("stop", 3, 1, 9, R"(, "levels": [1, 5])"), {.1, .2, .3, .4, .5}), "....S");
}

TEST(AshaStop, ReasonsNamePlaceAndOutcome) {
  ScriptedStudy study(asha_text("stop", 3, 1, 9));
  EXPECT_EQ(study.report(study.launch(), 1, .5)->reason, "rung 1: 1st of 1, all go on so far: goes on");
  decisions(study, {.4, .3, .2, .1});
  EXPECT_EQ(study.report(study.launch(), 1, .45)->reason, "rung 1: 5th of 6, best 2 go on: stopped");
  EXPECT_EQ(study.report(study.launch(), 1, kNan)->reason, "rung 1: nan, so last of 7, best 2 go on: stopped");
}

TEST(AshaStop, GoingOnNamesTheNextMilestone) {
  ScriptedStudy study(asha_text("stop", 3, 1, 9));
  const int trial = study.launch();
  EXPECT_EQ(study.study().trial(trial).milestone, 1);
  EXPECT_EQ(study.report(trial, 1, .5)->milestone, 3);
  EXPECT_FALSE(study.report(trial, 2, .5)) << "between rungs there is no verdict";
  EXPECT_EQ(study.report(trial, 3, .5)->milestone, 9);
  EXPECT_FALSE(study.report(trial, 8.5, .5));
  const auto end = study.report(trial, 9, .5);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->verdict, Verdict::complete);
  EXPECT_TRUE(end->entries.empty()) << "the top is no rung";
}

TEST(AshaStop, NothingIsEverPromoted) {
  ScriptedStudy study(asha_text("stop", 3, 1, 9));
  decisions(study, {.1, .2, .3, .4});
  EXPECT_FALSE(study.promote());
}

TEST(AshaStop, StopsIfAnyOfSeveralRungsSaysSo) {
  ScriptedStudy study(asha_text("stop", 3, 1, 27));
  decisions(study, {.1, .2, .1}, 1);
  const int trial = study.launch();
  const auto judged = study.report(trial, 3, .5);
  ASSERT_EQ(judged->entries.size(), 2u);
  EXPECT_EQ(judged->verdict, Verdict::stop) << "last of four in rung 1, though alone in rung 3";
  EXPECT_EQ(judged->reason, "rung 1 (reported at 3): 4th of 4, the best goes on: stopped");
}

TEST(AshaStop, LastRungOffTheLadderKeepsItsOwnShare) {
  ScriptedStudy study(asha_text("stop", 3, 1, 100, R"(, "levels": [81], "n_min": 3)"));
  decisions(study, {.1, .2}, 81);
  const auto judged = study.report(study.launch(), 81, .15);
  EXPECT_EQ(judged->entries[0].n, 3);
  EXPECT_EQ(judged->entries[0].k, 2);
  EXPECT_EQ(judged->verdict, Verdict::go_on);
}

TEST(AshaStop, ExactMilestonesStopATrialThatJumpsOverOne) {
  ScriptedStudy study(asha_text("stop", 3, 1, 9, R"(, "milestone": "exact")"));
  const int trial = study.launch();
  EXPECT_EQ(study.report(trial, 1, .5)->verdict, Verdict::go_on);
  EXPECT_EQ(study.report(trial, 4, .5)->verdict, Verdict::stop);
}

// ---- Whole studies, one trial after another ------------------------------------------------------------------------

// Runs a trial that reports `value` at every multiple of `every`, and gives its entries as "level@step".
std::vector<std::string> run_trial(ScriptedStudy& study, double value, int every, int top) {
  const int trial = study.launch();
  std::vector<std::string> entered;
  for (int step = every; step <= top; step += every) {
    const auto judged = study.report(trial, step, value);
    if (!judged) continue;
    for (const RungEntry& entry : judged->entries)
      entered.push_back(std::to_string(static_cast<int>(entry.level)) + "@" + std::to_string(step));
    if (judged->verdict != Verdict::go_on) break;
  }
  study.end(trial);
  return entered;
}

struct Interval {
  int every;
  std::vector<std::string> entered;
};

void PrintTo(const Interval& i, std::ostream* out) { *out << "every " << i.every; }

class ReportingInterval : public ::testing::TestWithParam<Interval> {};

TEST_P(ReportingInterval, DecidesAtTheFirstReportAtOrPastARung) {
  ScriptedStudy study(asha_text("stop", 3, 4, 36));
  const auto first = run_trial(study, 1, GetParam().every, 36);
  EXPECT_EQ(first, GetParam().entered);
  for (int x = 2; x <= 9; ++x) run_trial(study, x, GetParam().every, 36);
  EXPECT_EQ(study.study().trial(1).state, TrialState::completed);
  EXPECT_EQ(study.study().best(), 1);
  EXPECT_GE(study.study().count(TrialState::stopped), 4);
  for (int x = 3; x <= 9; ++x) EXPECT_LE(study.study().trial(x).resource, std::max(20, GetParam().every));
}

INSTANTIATE_TEST_SUITE_P(AshaStop, ReportingInterval,
                         ::testing::Values(Interval{1, {"4@4", "12@12"}}, Interval{3, {"4@6", "12@12"}},
                                           Interval{5, {"4@5", "12@15"}}, Interval{20, {"4@20", "12@20"}}));

// x from 1 to 20 in the given order; those divisible by 5 report NaN. Gives the x that reached the top.
std::vector<int> survivors(ScriptedStudy& study, const std::vector<int>& order) {
  std::vector<int> result;
  for (int x : order) {
    run_trial(study, x % 5 == 0 ? kNan : x, 1, 27);
    if (study.study().trials().back().resource == 27) result.push_back(x);
  }
  return result;
}

std::vector<int> rising(int count) {
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) order[i] = i + 1;
  return order;
}

TEST(AshaStop, OneOrTwoTrialsAreNeverStopped) {
  for (int count : {1, 2}) {
    ScriptedStudy study(asha_text("stop", 3, 1, 27));
    EXPECT_EQ(survivors(study, rising(count)), rising(count));
  }
}

TEST(AshaStop, FewReachTheTopWhenGoodOnesComeFirst) {
  ScriptedStudy study(asha_text("stop", 3, 1, 27));
  EXPECT_EQ(survivors(study, rising(20)), (std::vector{1, 2}));
}

TEST(AshaStop, NanNeverPassesARungWithThreeNumbers) {
  ScriptedStudy study(asha_text("stop", 3, 1, 27));
  std::vector<int> falling = rising(20);
  std::reverse(falling.begin(), falling.end());
  const std::vector<int> reached = survivors(study, falling);
  for (int x : {15, 10, 5}) EXPECT_EQ(std::count(reached.begin(), reached.end(), x), 0) << x;
  EXPECT_EQ(study.study().best(), 20) << "the last trial has x = 1";
}

}  // namespace
}  // namespace hpsearch::testing
