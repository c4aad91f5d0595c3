#include "dashboard/best_view.h"

#include <gtest/gtest.h>

#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;

Json point(int z) { return {{"k", "é"}, {"z", z}}; }

TEST(Ranking, PutsCompletedFirstThenResourceThenValue) {
  HandMadeStudy made(kOddSpace);
  made.finished(point(1), 0.99, TrialState::stopped, 3);
  made.finished(point(2), 0.5, TrialState::stopped, 9);
  made.finished(point(3), 0.4, TrialState::completed);
  made.finished(point(4), 0.45, TrialState::completed);
  EXPECT_EQ(ranking(made.study(), 10), (std::vector<int>{4, 3, 2, 1}));
}

TEST(Ranking, GivesTheEarlierOfEqualTrials) {
  HandMadeStudy made(kOddSpace);
  for (int z = 1; z <= 3; ++z) made.finished(point(z), 0.5);
  EXPECT_EQ(ranking(made.study(), 1), (std::vector<int>{1}));
}

TEST(Ranking, LeavesOutWhatHasNoFiniteValueOrIsExcluded) {
  HandMadeStudy made(kOddSpace);
  made.finished(point(1), MetricValue::parse("nan"), TrialState::failed);
  made.failed(point(2), 1);
  made.finished(point(3), 0.1);
  made.add(Fact(Excluded{3, true}));
  EXPECT_TRUE(ranking(made.study(), 5).empty());
}

TEST(BetterUnfinished, NamesAStoppedTrialThatBeatsEveryCompletedOne) {
  HandMadeStudy made(kOddSpace);
  made.finished(point(1), 0.7, TrialState::stopped, 3);
  made.finished(point(2), 0.8, TrialState::stopped, 9);
  made.finished(point(3), 0.6);
  EXPECT_EQ(better_unfinished(made.study()), 2);
  EXPECT_EQ(better_unfinished_note(made.study()),
            "trial 2 (stopped at epoch 9) has 0.8, better than every completed trial, but was not run to the end");
}

TEST(BetterUnfinished, IsSilentWhenThereIsNone) {
  HandMadeStudy made(kOddSpace);
  made.finished(point(1), 0.5, TrialState::stopped, 3);
  EXPECT_EQ(better_unfinished_note(made.study()), "");
  made.finished(point(2), 0.6);
  EXPECT_EQ(better_unfinished_note(made.study()), "");
}

TEST(BestText, NamesTheLevelAndExactParameters) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "ok"}, {"m", 0.1234567890123}, {"z", 3}}, 0.123456789);
  EXPECT_EQ(best_text(made.study(), 1),
            "trial 1: acc 0.123456789 at epoch 27 (completed)\n  k  ok\n  m  0.1234567890123\n  z  3\n");
}

TEST(RankingJson, HasTheSameKeysForOneAndMany) {
  HandMadeStudy made(kOddSpace);
  made.finished(point(1), 0.5);
  made.finished(point(2), 0.6);
  const Json one = ranking_json(made.study(), {2}), two = ranking_json(made.study(), {2, 1});
  EXPECT_EQ(one["best"].size(), 1u);
  EXPECT_EQ(two["best"][1]["number"], 1);
  EXPECT_TRUE(one["better_unfinished"].is_null());
  EXPECT_EQ(one["best"][0]["params"]["k"], "é");
}

}  // namespace
}  // namespace hpsearch
