#include "dashboard/rung_table.h"

#include <gtest/gtest.h>

#include "dashboard/rung_visits.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;
using testing::odd_point;

RungEntry entry(double level, double value, std::int64_t rank, std::int64_t n, std::int64_t k) {
  return {0, level, value, n, k, rank, false, false};
}

// Trial 1 goes through rungs 4 and 12 to the end; 2 is stopped at 4; 3 diverges at 4; 4 is paused at 4; 5 still runs.
HandMadeStudy five_trials() {
  HandMadeStudy made(kOddSpace);
  const int one = made.launch(odd_point(1), 4);
  made.report(one, 5, 0.5);
  RungEntry late = entry(4, 0.5, 1, 1, 1);
  late.approximate = true;
  made.judge(one, Verdict::go_on, {late}, "rung 4 (reported at 5): goes on", 12);
  made.report(one, 12, 0.6);
  made.judge(one, Verdict::go_on, {entry(12, 0.6, 1, 1, 1)}, "rung 12: goes on", 27);
  made.report(one, 27, 0.7);
  made.judge(one, Verdict::complete, {}, "reached epoch 27");
  made.end(one, TrialState::completed);
  const std::vector<std::pair<Verdict, TrialState>> ends{
      {Verdict::stop, TrialState::stopped}, {Verdict::stop, TrialState::failed}, {Verdict::pause, TrialState::paused}};
  for (int i = 0; i < 3; ++i) {
    const int trial = made.launch(odd_point(i + 2), 4);
    const double value = i == 1 ? std::nan("") : 0.1 * i;
    made.report(trial, 4, MetricValue(value));
    made.judge(trial, ends[i].first, {entry(4, value, i + 2, i + 2, 1)}, "rung 4");
    made.end(trial, ends[i].second, {}, i == 1 ? FailureReason::diverged : FailureReason::none);
  }
  made.launch(odd_point(5), 4);
  return made;
}

TEST(RungLines, TellHowManyCameAndHowTheyLeft) {
  const HandMadeStudy made = five_trials();
  const std::vector<RungLine> lines = rung_lines(made.study());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].level, 4);
  EXPECT_EQ(lines[0].entered, 4);
  EXPECT_EQ(lines[0].went_on, 1);
  EXPECT_EQ(lines[0].stopped, 1);
  EXPECT_EQ(lines[0].failed, 1);
  EXPECT_EQ(lines[0].waiting, 1);
  EXPECT_EQ(lines[0].best, 0.5);
  EXPECT_EQ(lines[1].level, 12);
  EXPECT_EQ(lines[1].went_on, 1);
  EXPECT_EQ(lines[2].level, 27);
  EXPECT_EQ(lines[2].entered, 1);
  EXPECT_EQ(lines[2].went_on, 1);
  EXPECT_EQ(lines[2].best, 0.7);
}

TEST(RungLines, CountEveryTrialThatEnteredExactlyOnce) {
  const HandMadeStudy made = five_trials();
  for (const RungLine& line : rung_lines(made.study()))
    EXPECT_EQ(line.entered, line.went_on + line.waiting + line.stopped + line.failed + line.cancelled) << line.level;
}

TEST(RungTable, IsEmptyWithoutRungs) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.5);
  EXPECT_EQ(rung_table(made.study()), "");
  EXPECT_EQ(rungs_json(made.study()).dump(), "[]");
}

TEST(RungTable, HasALineForEachLevel) {
  const HandMadeStudy made = five_trials();
  EXPECT_EQ(rung_table(made.study()),
            "    rung  entered  went on  waiting  stopped  failed  cancelled  best\n"
            "       4        4        1        1        1       1          0   0.5\n"
            "      12        1        1        0        0       0          0   0.6\n"
            "27 (end)        1        1        0        0       0          0   0.7\n");
}

TEST(RungVisits, KnowTheStepThatEntered) {
  const HandMadeStudy made = five_trials();
  RungVisits visits;
  made.replay([&](const Study& before, const Event& event) { visits.apply(before, event); });
  ASSERT_EQ(visits.all().size(), 5u);
  EXPECT_EQ(visits.all()[0].step, 5);
  EXPECT_EQ(visits.all()[0].entry.level, 4);
  EXPECT_EQ(visits.all()[1].step, 12);
  EXPECT_EQ(visits.all()[2].verdict, Verdict::stop);
  const Json json = visits_json(visits.all());
  EXPECT_EQ(json[0]["approximate"], true);
  EXPECT_EQ(json[3]["value"], "nan");
}

}  // namespace
}  // namespace hpsearch
