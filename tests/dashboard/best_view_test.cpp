#include "dashboard/best_view.h"

#include <gtest/gtest.h>

#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;
using testing::odd_point;

TEST(Ranking, PutsCompletedFirstThenResourceThenValue) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.99, TrialState::stopped, 3);
  made.finished(odd_point(2), 0.5, TrialState::stopped, 9);
  made.finished(odd_point(3), 0.4, TrialState::completed);
  made.finished(odd_point(4), 0.45, TrialState::completed);
  EXPECT_EQ(ranking(made.study(), 10), (std::vector<int>{4, 3, 2, 1}));
}

TEST(Ranking, GivesTheEarlierOfEqualTrials) {
  HandMadeStudy made(kOddSpace);
  for (int z = 1; z <= 3; ++z) made.finished(odd_point(z), 0.5);
  EXPECT_EQ(ranking(made.study(), 1), (std::vector<int>{1}));
}

TEST(Ranking, LeavesOutWhatHasNoFiniteValueOrIsExcluded) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), MetricValue::parse("nan"), TrialState::failed);
  made.failed(odd_point(2), 1);
  made.finished(odd_point(3), 0.1);
  made.add(Fact(Excluded{3, true}));
  EXPECT_TRUE(ranking(made.study(), 5).empty());
}

TEST(BetterUnfinished, NamesAStoppedTrialThatBeatsEveryCompletedOne) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.7, TrialState::stopped, 3);
  made.finished(odd_point(2), 0.8, TrialState::stopped, 9);
  made.finished(odd_point(3), 0.6);
  EXPECT_EQ(better_unfinished(made.study()), 2);
  EXPECT_EQ(better_unfinished_note(made.study()),
            "trial 2 (stopped at epoch 9) has 0.8, better than every completed trial, but was not run to the end");
}

TEST(BetterUnfinished, IsSilentWhenThereIsNone) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.5, TrialState::stopped, 3);
  EXPECT_EQ(better_unfinished_note(made.study()), "");
  made.finished(odd_point(2), 0.6);
  EXPECT_EQ(better_unfinished_note(made.study()), "");
}

TEST(BestText, NamesTheLevelAndExactParameters) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "ok"}, {"m", 0.1234567890123}, {"z", 3}}, 0.123456789);
  EXPECT_EQ(best_text(made.study(), 1),
            "trial 1: acc 0.123456789 at epoch 27 (completed)\n  k  ok\n  m  0.1234567890123\n  z  3\n");
}

TEST(BestText, ShowsClosingValues) {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch(odd_point(1), 27);
  made.report(trial, 27, 0.5);
  made.judge(trial, Verdict::complete, {}, "reached epoch 27");
  made.report(trial, {}, {}, R"({"test_acc": 0.4875, "size": 12})");
  made.end(trial, TrialState::completed);
  EXPECT_EQ(best_text(made.study(), 1), "trial 1: acc 0.5 at epoch 27 (completed), test_acc 0.4875, size 12\n  k  é\n  z  1\n");
  EXPECT_EQ(ranking_json(made.study(), {1})["best"][0]["closing_metrics"]["test_acc"], 0.4875);
}

TEST(RankingJson, HasTheSameKeysForOneAndMany) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.5);
  made.finished(odd_point(2), 0.6);
  const Json one = ranking_json(made.study(), {2}), two = ranking_json(made.study(), {2, 1});
  EXPECT_EQ(one["best"].size(), 1u);
  EXPECT_EQ(two["best"][1]["number"], 1);
  EXPECT_TRUE(one["better_unfinished"].is_null());
  EXPECT_EQ(one["best"][0]["params"]["k"], "é");
}

}  // namespace
}  // namespace hpsearch
