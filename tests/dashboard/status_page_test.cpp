#include "dashboard/status_page.h"

#include <gtest/gtest.h>

#include "dashboard/value_text.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> names;
  for (auto it = json.begin(); it != json.end(); ++it) names.push_back(it.key());
  return names;
}

TEST(StatusOf, CountsStatesSlotsAndWhatIsLeft) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "é"}, {"z", 1}}, 0.5);
  made.launch({{"k", "é"}, {"z", 2}});
  const StudyStatus status = status_of(made.study(), made.study().last_at());
  EXPECT_EQ(status.phase, StudyPhase::running);
  EXPECT_EQ(counts_text(status), "1 completed, 1 running");
  EXPECT_EQ(trials_text(status), "2 of 10: 1 completed, 1 running");
  EXPECT_EQ(status.trials_left(), 8);
  EXPECT_EQ(status.slots_busy, 1);
  EXPECT_EQ(status.slots, 4);
  EXPECT_EQ(best_line(status), "trial 1: acc 0.5 at epoch 27 (completed)");
  EXPECT_EQ(time_text(status), "9s of 2h, 1h 59m left");
}

TEST(StatusOf, TellsAFinishedStudyFromAnInterruptedOne) {
  HandMadeStudy made(kOddSpace);
  made.add(Fact(SessionEnded{"interrupted"}));
  EXPECT_EQ(status_of(made.study(), {}).phase, StudyPhase::interrupted);
  made.add(Fact(SessionStarted{"here", 1, {here(1)}, ""}));
  made.add(Decision(StudyEnded{"all trials are done", 0}));
  made.add(Fact(SessionEnded{"finished"}));
  EXPECT_EQ(status_of(made.study(), {}).phase, StudyPhase::finished);
}

TEST(StatusText, SaysWhatToTypeNext) {
  HandMadeStudy made(kOddSpace);
  StudyStatus status = status_of(made.study(), made.study().last_at());
  status.phase = StudyPhase::interrupted;
  EXPECT_NE(status_text(status, "cnn").find("next    hpsearch resume cnn\n"), std::string::npos);
  EXPECT_NE(status_text(status, "cnn").find("best    none yet\n"), std::string::npos);
}

TEST(NextSteps, RaiseTheLimitThatEndedTheStudy) {
  StudyStatus status;
  status.phase = StudyPhase::finished;
  status.trial_limit = 10;
  status.ended = StudyEnded{kTooManyFailures, 3};
  EXPECT_EQ(next_steps(status, "cnn").back(), "hpsearch resume cnn");
  status.ended = StudyEnded{"every configuration has been tried", 0};
  EXPECT_EQ(next_steps(status, "cnn"), std::vector<std::string>{"hpsearch trials cnn"}) << "no option of resume helps";
  status.ended = StudyEnded{kAllTrialsDone, 0};
  EXPECT_EQ(next_steps(status, "cnn").back(), "hpsearch resume cnn --more-trials 20");
  status.time_limit = status.running_time = Span(90'500);
  EXPECT_EQ(next_steps(status, "cnn").back(), "hpsearch resume cnn --time 181s");
}

TEST(StatusJson, HasTheSameKeysInEveryState) {
  HandMadeStudy made(kOddSpace);
  const Json empty = status_json(status_of(made.study(), {}), "cnn");
  made.finished({{"k", "é"}, {"z", 1}}, 0.5);
  made.add(Decision(StudyEnded{"all trials are done", 0}));
  StudyStatus status = status_of(made.study(), {});
  status.holder = StatusHolder{12, "here", {}};
  const Json full = status_json(status, "cnn");
  EXPECT_EQ(keys(empty), keys(full));
  EXPECT_EQ(keys(empty["trials"]), keys(full["trials"]));
  EXPECT_EQ(Json::parse(json_text(full))["scheduler"]["pid"], 12);
  EXPECT_TRUE(empty["best"].is_null());
}

}  // namespace
}  // namespace hpsearch
