#include "scheduler/hosts/report_desk.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

Launch launch(std::optional<double> milestone, NoAnswer on_no_answer = NoAnswer::go_on) {
  Launch launch;
  launch.metric = "loss";
  launch.milestone = milestone;
  launch.resource_max = 9;
  launch.on_no_answer = on_no_answer;
  return launch;
}

Report step(std::optional<double> at, const std::string& metric = "loss") { return {at, {{metric, MetricValue(1)}}, ""}; }

Answer answer(ReportDesk& desk, Report report) {
  const std::optional<double> at = report.step;
  const Answer answer = desk.take(std::move(report), Time{}).answer;
  if (at && answer != Answer::wait) desk.answered(*at, answer);
  return answer;
}

TEST(ReportDesk, NumbersEveryLine) {
  ReportDesk desk(launch({}));
  EXPECT_EQ(desk.take(step(1), Time{}).line.seq, 1u);
  EXPECT_EQ(desk.refuse("no", Time{}).line.seq, 2u);
  EXPECT_EQ(desk.last_seq(), 2u);
}

TEST(ReportDesk, OnlyAReportAtTheMilestoneWithTheMetricWaits) {
  ReportDesk desk(launch(3.0));
  EXPECT_EQ(answer(desk, step(2)), Answer::go_on);
  EXPECT_EQ(answer(desk, step(4, "other")), Answer::go_on);
  EXPECT_EQ(answer(desk, step({})), Answer::go_on);
  EXPECT_EQ(answer(desk, step(4)), Answer::wait);
}

TEST(ReportDesk, GoingOnMovesTheMilestone) {
  ReportDesk desk(launch(1.0));
  answer(desk, step(1));
  EXPECT_EQ(desk.waiting(1), Answer::wait);
  desk.judged(Verdict::go_on, 3.0);
  EXPECT_EQ(desk.waiting(1), Answer::go_on);
  EXPECT_EQ(answer(desk, step(2)), Answer::go_on);
  EXPECT_EQ(answer(desk, step(3)), Answer::wait);
}

TEST(ReportDesk, AVerdictToEndSticksAndIsSaidInItsWord) {
  ReportDesk desk(launch(1.0));
  answer(desk, step(1));
  desk.judged(Verdict::pause, {});
  desk.judged(Verdict::stop, {});
  EXPECT_EQ(desk.waiting(1), Answer::end);
  EXPECT_EQ(desk.word(Answer::end), "pause");
  desk.answered(1, Answer::end);
  const auto next = desk.take(step(2), Time{});
  EXPECT_EQ(next.answer, Answer::end);
  EXPECT_TRUE(next.unheard);
  EXPECT_FALSE(desk.take(step({}), Time{}).unheard) << "a closing value may follow";
}

TEST(ReportDesk, CompleteIsSaidAsStop) {
  ReportDesk desk(launch(9.0));
  desk.judged(Verdict::complete, {});
  EXPECT_EQ(desk.word(Answer::end), "stop");
  EXPECT_EQ(desk.word(Answer::go_on), "continue");
}

TEST(ReportDesk, AStepMayRepeatButNotGoBack) {
  ReportDesk desk(launch({}));
  answer(desk, step(5));
  EXPECT_FALSE(desk.take(step(5), Time{}).bad_step);
  const auto back = desk.take(step(4), Time{});
  EXPECT_TRUE(back.bad_step);
  EXPECT_EQ(std::get<Rejection>(back.line.body).text, "step went back from 5 to 4");
}

TEST(ReportDesk, AfterAMissingAnswerNobodyWaitsUntilTheSchedulerSpeaks) {
  ReportDesk desk(launch(1.0));
  EXPECT_EQ(answer(desk, step(1)), Answer::wait);
  desk.no_answer(1);
  EXPECT_EQ(answer(desk, step(2)), Answer::go_on);
  desk.scheduler_is_back();
  EXPECT_EQ(answer(desk, step(3)), Answer::wait);
}

TEST(ReportDesk, AMissingAnswerPausesWhereTrialsPause) {
  ReportDesk desk(launch(1.0, NoAnswer::pause));
  answer(desk, step(1));
  desk.no_answer(1);
  EXPECT_EQ(desk.waiting(1), Answer::end);
  EXPECT_EQ(desk.word(Answer::end), "pause");
}

TEST(ReportDesk, AMissingAnswerAtTheTopStops) {
  ReportDesk desk(launch(9.0));
  answer(desk, step(9));
  desk.no_answer(9);
  EXPECT_EQ(desk.word(desk.waiting(9)), "stop");
}

TEST(ReportDesk, AnOrderToPauseIsHeardByTheNextStep) {
  ReportDesk desk(launch({}));
  desk.pause_at_report();
  EXPECT_EQ(answer(desk, step({})), Answer::go_on);
  EXPECT_EQ(answer(desk, step(1)), Answer::end);
  EXPECT_EQ(desk.word(Answer::end), "pause");
}

TEST(ReportDesk, OtherRanksHearWhatRankZeroHeardAtTheSameStep) {
  ReportDesk desk(launch({}));
  EXPECT_EQ(desk.query(3), Answer::wait) << "rank 0 has not reported it yet";
  answer(desk, step(3));
  EXPECT_EQ(desk.query(3), Answer::go_on);
  desk.judged(Verdict::stop, {});
  EXPECT_EQ(desk.query(3), Answer::go_on) << "rank 0 went on from step 3";
  answer(desk, step(4));
  EXPECT_EQ(desk.query(3), Answer::go_on);
  EXPECT_EQ(desk.query(4), Answer::end);
}

}  // namespace
}  // namespace hpsearch
