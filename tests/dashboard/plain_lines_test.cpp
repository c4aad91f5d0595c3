#include "dashboard/plain_lines.h"

#include <gtest/gtest.h>

#include "dashboard/notices.h"
#include "dashboard/text_width.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;
using testing::odd_point;

// Feeds a whole log event by event, as a session would at its slowest.
std::vector<std::string> told(const HandMadeStudy& made) {
  PlainLines plain;
  std::vector<std::string> lines;
  Study study;
  for (const Event& event : made.events()) {
    study.apply(event);
    for (std::string& line : plain.lines(study, {event})) lines.push_back(std::move(line));
  }
  return lines;
}

std::string without_time(const std::string& line) { return line.substr(20); }

TEST(PlainLines, SayHowEachTrialEnded) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.5);
  made.finished(odd_point(2), 0.4);
  PlainLines plain;
  std::vector<std::string> lines = plain.lines(made.study(), made.events());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(without_time(lines[0]), "trial 1 completed; acc 0.5 at epoch 27, best so far; k=é z=1");
  EXPECT_EQ(without_time(lines[1]), "trial 2 completed; acc 0.4 at epoch 27; k=é z=2");
}

TEST(PlainLines, SayWhyATrialFailed) {
  HandMadeStudy made(kOddSpace);
  made.failed(odd_point(1), 7, "no such file");
  PlainLines plain;
  EXPECT_EQ(without_time(plain.lines(made.study(), made.events()).at(0)), "trial 1 failed (exit 7): no such file; k=é z=1");
}

TEST(PlainLines, ProgressComesAtMostOnceInTenSeconds) {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch(odd_point(1));
  for (int step = 1; step <= 40; ++step) made.report(trial, step, 0.01 * step);
  const std::vector<std::string> lines = told(made);
  EXPECT_GE(lines.size(), 3u);
  EXPECT_LE(lines.size(), made.events().size() / 10);
  EXPECT_NE(lines[0].find("1 of 10: 1 running; best trial 1: acc"), std::string::npos) << lines[0];
}

TEST(PlainLines, EndWithTheBest) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.5);
  made.add(Decision(StudyEnded{"all trials are done", 0}));
  made.add(Fact(SessionEnded{"finished"}));
  EXPECT_EQ(without_time(told(made).back()),
            "study cnn finished, all trials are done; best trial 1: acc 0.5 at epoch 27 (completed)");
}

TEST(PlainLines, HoldNoControlCharactersAndAreShort) {
  HandMadeStudy made(kOddSpace);
  made.failed({{"k", std::string(500, 'x') + "\x1b[31m\r\n"}, {"z", 1}}, 1, "\x1b[31mred\r\nfrom trial");
  for (const std::string& line : told(made)) {
    EXPECT_EQ(line, one_line(line));
    EXPECT_LE(text_width(line), 200u);
  }
}

TEST(Notices, SayStepZeroOnce) {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch(odd_point(1));
  made.report(trial, 0, 0.1);
  Notices notices;
  const std::vector<std::string> lines = notices.lines(made.study(), made.events());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("trial 1 reported step 0"), std::string::npos);
  EXPECT_TRUE(notices.lines(made.study(), made.events()).empty());
}

TEST(Notices, SayOnceThatReportsComeAfterTheVerdict) {
  HandMadeStudy made(kOddSpace);
  Notices notices;
  std::vector<std::string> said;
  for (int round = 0; round < 2; ++round) {
    const int trial = made.launch(odd_point(round), 4);
    for (int epoch = 4; epoch <= 9; ++epoch) {
      made.report(trial, epoch, MetricValue(0.5));
      for (std::string& line : notices.lines(made.study(), {made.events().back()})) said.push_back(std::move(line));
      if (epoch == 4) made.judge(trial, Verdict::stop, {}, "rung 4: stopped");
    }
    made.end(trial, TrialState::stopped);
  }
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("flush the output"), std::string::npos);
}

TEST(Notices, AreSilentWhenAllIsWell) {
  HandMadeStudy made(kOddSpace);
  made.finished(odd_point(1), 0.5);
  made.add(Decision(StudyEnded{"all trials are done", 0}));
  EXPECT_TRUE(Notices().lines(made.study(), made.events()).empty());
}

TEST(Notices, WarnOfAMetricThatNeverCameAndOfTheBrake) {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch(odd_point(1));
  made.end(trial, TrialState::failed, {}, FailureReason::no_metric, "\"acc\" was never reported; what came: accuracy");
  made.add(Decision(StudyEnded{"too many failures in a row", 3}));
  const std::vector<std::string> lines = Notices().lines(made.study(), made.events());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("what came: accuracy"), std::string::npos);
  EXPECT_NE(lines[1].find("too many failures"), std::string::npos);
}

}  // namespace
}  // namespace hpsearch
