#include <gtest/gtest.h>

#include "scheduler/clock.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

// Reports steps 1, 2, ... until it is told to end, then says which step heard it.
constexpr const char* kListener = "s=0; while :; do s=$((s+1)); hpsearch report $s loss=1 || { echo $s $?; exit 0; }; done";

Json epochs(Json trial = Json::object(), const char* variant = "stop") {
  return {{"resource", {{"name", "epoch"}, {"min", 1}, {"max", 9}}},
          {"search", {{"pruner", {{"type", "asha"}, {"variant", variant}}}}},
          {"trial", std::move(trial)}};
}

Reported report_of_step(TrialLab& lab, double step) {
  for (;;) {
    Reported report = lab.next_of<Reported>();
    if (report.step == step) return report;
  }
}

TEST(KeeperVerdict, AMilestoneReportWaitsForItsVerdict) {
  TrialLab lab(kListener, epochs());
  lab.start(2.0);
  lab.judge(report_of_step(lab, 2), Verdict::go_on, 4.0);
  lab.judge(report_of_step(lab, 4), Verdict::stop);
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_TRUE(end.ordered);
  EXPECT_EQ(lab.file(lab.folder().output()), "4 3\n");
  EXPECT_EQ(lab.reports.size(), 4u);
}

TEST(KeeperVerdict, CompleteIsHeardAsStop) {
  TrialLab lab("hpsearch report 9 loss=1; echo $?; hpsearch report loss=0.5 test=3; exit 0", epochs());
  lab.start(9.0);
  lab.judge(report_of_step(lab, 9), Verdict::complete);
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.file(lab.folder().output()), "3\n");
  EXPECT_EQ(lab.reports.back().value, MetricValue(0.5)) << "closing values are taken after the verdict";
}

TEST(KeeperVerdict, AReportWithoutTheMetricDoesNotWait) {
  TrialLab lab("hpsearch report 5 other=1; hpsearch report loss=2", epochs());
  lab.start(2.0);
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.reports.size(), 2u);
}

TEST(KeeperVerdict, WithoutAnAnswerTheStopVariantGoesOnAndALateStopSticks) {
  TrialLab lab("for s in 2 3; do hpsearch report $s loss=1; done; "
               "touch $HPSEARCH_ARTIFACT_DIR/on; while hpsearch report 4 loss=1; do sleep 0.05; done; echo told",
               epochs({{"verdict_wait", "200ms"}}));
  lab.start(2.0);
  const Reported report = report_of_step(lab, 2);
  ASSERT_TRUE(eventually([&] {
    lab.executor().wait(SystemClock().now());
    return std::filesystem::exists(artifact_folder(lab.home.path() / "study", 1) / "on");
  }));
  lab.judge(report, Verdict::stop);
  EXPECT_TRUE(lab.end().ordered);
  EXPECT_EQ(lab.file(lab.folder().output()), "told\n");
}

TEST(KeeperVerdict, WithoutAnAnswerThePromoteVariantPauses) {
  TrialLab lab(kListener, epochs({{"verdict_wait", "200ms"}, {"checkpoint", true}}, "promote"));
  lab.start(2.0);
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.file(lab.folder().output()), "2 3\n");
}

TEST(KeeperVerdict, ATrialThatDoesNotListenIsEnded) {
  TrialLab lab("s=0; while :; do s=$((s+1)); hpsearch report $s loss=1; done", epochs({{"grace", "20s"}}));
  lab.start(2.0);
  lab.judge(report_of_step(lab, 2), Verdict::pause);
  const AttemptEnd end = lab.end();
  EXPECT_TRUE(end.ordered);
  EXPECT_LE(lab.reports.size(), 4u);
}

TEST(KeeperVerdict, ATrialThatHearsAndDoesNotLeaveIsEndedAfterTheGrace) {
  TrialLab lab("hpsearch report 2 loss=1; sleep 60", epochs({{"grace", "200ms"}}));
  lab.start(2.0);
  lab.judge(report_of_step(lab, 2), Verdict::pause);
  EXPECT_TRUE(lab.end().ordered);
}

TEST(KeeperVerdict, ALineReporterIsEndedAtOnce) {
  TrialLab lab("for s in 1 2 3 4 5 6; do echo hpsearch: step=$s loss=1; sleep 0.2; done; sleep 60", epochs({{"grace", "20s"}}));
  lab.start(2.0);
  lab.judge(report_of_step(lab, 2), Verdict::stop);
  EXPECT_TRUE(lab.end().ordered);
}

TEST(KeeperVerdict, AnOrderToPauseIsHeardAtTheNextReport) {
  TrialLab lab("s=0; while sleep 0.1; do s=$((s+1)); hpsearch report $s loss=1 || exit 0; done", epochs({{"checkpoint", true}}));
  lab.start(9.0);
  report_of_step(lab, 1);
  lab.order(OrderKind::pause_at_report);
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(end.code, 0);
  EXPECT_TRUE(end.ordered);
}

TEST(KeeperVerdict, OtherRanksHearWhatRankZeroHears) {
  TrialLab lab("(RANK=1 hpsearch report 2 loss=7; echo rank 1: $?) & hpsearch report 2 loss=1; wait", epochs());
  lab.start(2.0);
  lab.judge(report_of_step(lab, 2), Verdict::stop);
  EXPECT_EQ(lab.end().kind, EndKind::exited);
  EXPECT_EQ(lab.file(lab.folder().output()), "rank 1: 3\n");
  EXPECT_EQ(lab.reports.size(), 1u);
}

TEST(KeeperVerdict, OtherRanksWaitForASlowRankZero) {
  TrialLab lab("(RANK=1 hpsearch report 2 loss=7; echo rank 1: $?) & sleep 1; hpsearch report 2 loss=1; wait",
               epochs({{"verdict_wait", "300ms"}}));
  lab.start(2.0);
  lab.judge(report_of_step(lab, 2), Verdict::stop);
  EXPECT_EQ(lab.end().kind, EndKind::exited);
  EXPECT_EQ(lab.file(lab.folder().output()), "rank 1: 3\n");
}

TEST(KeeperVerdict, WaitingForAVerdictIsNotSilence) {
  Json keys = epochs({{"verdict_wait", "9s"}});
  keys["limits"] = {{"trials", 1}, {"silence", "2s"}};
  TrialLab lab("hpsearch report 2 loss=1; exit 4", keys);
  lab.start(2.0);
  const Reported report = report_of_step(lab, 2);
  const auto news = lab.executor().wait(SystemClock().now() + Span(2500));
  EXPECT_TRUE(std::holds_alternative<Tick>(news));
  lab.judge(report, Verdict::go_on, 9.0);
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(end.code, 4);
}

TEST(KeeperVerdict, SecondsAreMeasured) {
  TrialLab lab("sleep 0.3; hpsearch report 77 loss=1", {{"resource", {{"name", "seconds"}, {"min", 1}, {"max", 9}}},
                                                      {"search", {{"pruner", "none"}}}});
  lab.start(9.0);
  EXPECT_EQ(lab.end().code, 0);
  ASSERT_EQ(lab.reports.size(), 1u);
  EXPECT_GE(*lab.reports[0].step, 0.3);
  EXPECT_LT(*lab.reports[0].step, 5);
}

}  // namespace
}  // namespace hpsearch::testing
