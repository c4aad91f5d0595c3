#include "scheduler/settle.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/scheduler/simulation.h"

namespace hpsearch::testing {
namespace {

// One trial with one attempt that ended, and what was known of it.
class SettleTest : public ::testing::Test {
 protected:
  void begin(const std::string& members, const std::vector<std::string>& devices = {}) {
    Simulation simulation(space_with(members));
    add(Fact(simulation.created));
    add(Fact(SessionStarted{"host", 1, {here(1)}, ""}));
    add(Decision(TrialSuggested{1, {Json{{"x", 0.5}}, {0.5}, "random", "", {}}, 0, std::nullopt}));
    start(1, devices);
  }

  void start(int attempt, const std::vector<std::string>& devices) {
    add(Decision(AttemptPlanned{1, attempt, "id", {"local", 0, devices}, milestone_, 0, ""}));
    add(Fact(AttemptStarted{1, attempt, 42}));
  }

  void report(std::optional<MetricValue> value, const std::string& others = "", std::optional<double> step = {}) {
    add(Fact(Reported{1, 1, ++seq_, step, value, others, "", Time{}}));
  }

  TrialSettled end(AttemptEnd end) {
    add(Fact(AttemptEnded{1, study_.trial(1).current()->number, end, Time{}}));
    return settle(study_, study_.trial(1));
  }

  void add(std::variant<Fact, Decision> body) { study_.apply({study_.last_seq() + 1, Time{}, std::move(body)}); }

  Study study_;
  std::uint64_t seq_ = 0;
  std::optional<double> milestone_;
};

const char* const kPlain = R"("limits": {"trials": 3})";

TEST_F(SettleTest, ExitZeroWithAValueIsCompleted) {
  begin(kPlain);
  report(MetricValue(0.5));
  EXPECT_EQ(end({EndKind::exited, 0, false, "", ""}).state, TrialState::completed);
}

TEST_F(SettleTest, AnAllocationThatEndsCostsNoRetryWhereTheTrialCameFurther) {
  begin(R"("limits": {"trials": 3}, "resource": {"name": "epoch", "min": 1, "max": 9}, "trial": {"checkpoint": true})");
  report(MetricValue(0.5), "", 1.0);
  const TrialSettled result = end({EndKind::lost, 0, true, "the time limit of its job came near", ""});
  EXPECT_EQ(result.state, TrialState::queued);
  EXPECT_FALSE(result.counts_as_retry);
}

TEST_F(SettleTest, AnAllocationThatIsTooShortForAnyReportCostsARetry) {
  begin(R"("limits": {"trials": 3}, "resource": {"name": "epoch", "min": 1, "max": 9}, "trial": {"checkpoint": true})");
  const TrialSettled result = end({EndKind::lost, 0, true, "the time limit of its job came near", ""});
  EXPECT_EQ(result.state, TrialState::queued);
  EXPECT_TRUE(result.counts_as_retry);
}

TEST_F(SettleTest, ExitZeroWithoutTheMetricNamesWhatCame) {
  begin(kPlain);
  report(std::nullopt, R"({"val_los": 1, "acc": 2})");
  const TrialSettled result = end({EndKind::exited, 0, false, "", ""});
  EXPECT_EQ(result.failure, FailureReason::no_metric);
  EXPECT_NE(result.detail.find("\"loss\""), std::string::npos);
  EXPECT_NE(result.detail.find("acc, val_los"), std::string::npos);
}

TEST_F(SettleTest, TextThatIsNoNumberFailsWithTheTextAsSent) {
  begin(kPlain);
  report(MetricValue::parse("12abc"));
  const TrialSettled result = end({EndKind::exited, 0, false, "", ""});
  EXPECT_EQ(result.state, TrialState::failed);
  EXPECT_NE(result.detail.find("not a number: \"12abc\""), std::string::npos);
}

TEST_F(SettleTest, InfinityIsDivergedWithTheTextAsSent) {
  begin(kPlain);
  report(MetricValue::parse("1e400"));
  const TrialSettled result = end({EndKind::exited, 0, false, "", ""});
  EXPECT_EQ(result.failure, FailureReason::diverged);
  EXPECT_NE(result.detail.find("1e400"), std::string::npos);
}

TEST_F(SettleTest, BaselineAtStepZeroNeverRanks) {
  begin(kPlain);
  report(MetricValue(0.1), "", 0);
  const TrialSettled result = end({EndKind::exited, 0, false, "", ""});
  EXPECT_EQ(result.failure, FailureReason::no_metric);
  EXPECT_NE(result.detail.find("start at 1"), std::string::npos);
}

TEST_F(SettleTest, OtherExitStatusFailsAtOnce) {
  begin(kPlain);
  report(MetricValue(0.5));
  const TrialSettled result = end({EndKind::exited, 7, false, "", ""});
  EXPECT_EQ(result.state, TrialState::failed);
  EXPECT_EQ(failure_text(result.failure, result.code), "exit 7");
}

TEST_F(SettleTest, ExitSeventyFiveIsRetried) {
  begin(kPlain);
  const TrialSettled result = end({EndKind::exited, 75, false, "", ""});
  EXPECT_EQ(result.state, TrialState::queued);
  EXPECT_TRUE(result.counts_as_retry);
}

TEST_F(SettleTest, ListedExitStatusIsRetried) {
  begin(R"("limits": {"trials": 3}, "trial": {"retry_on": [9]})");
  EXPECT_EQ(end({EndKind::exited, 9, false, "", ""}).state, TrialState::queued);
}

TEST_F(SettleTest, SegmentationFaultIsNotRetried) {
  begin(kPlain);
  const TrialSettled result = end({EndKind::signalled, SIGSEGV, false, "", ""});
  EXPECT_EQ(result.state, TrialState::failed);
  EXPECT_EQ(failure_text(result.failure, result.code), "signal SEGV");
}

TEST_F(SettleTest, KillFromOutsideIsRetriedWithAHint) {
  begin(kPlain);
  const TrialSettled result = end({EndKind::signalled, SIGKILL, false, "", ""});
  EXPECT_EQ(result.state, TrialState::queued);
  EXPECT_NE(result.detail.find("memory"), std::string::npos);
}

TEST_F(SettleTest, InterruptionCostsNoRetry) {
  begin(kPlain);
  add(Fact(Interrupted{2}));
  add(Decision(EndOrdered{1, 1, OrderKind::terminate, "interrupted", false}));
  const TrialSettled result = end({EndKind::signalled, SIGTERM, true, "", ""});
  EXPECT_EQ(result.state, TrialState::queued);
  EXPECT_FALSE(result.counts_as_retry);
}

TEST_F(SettleTest, TimeLimitsAreFailuresOfTheirOwnKind) {
  begin(kPlain);
  EXPECT_EQ(end({EndKind::silent, 0, true, "no report for 3s", ""}).failure, FailureReason::silent);
}

TEST_F(SettleTest, BadReportFailsTheTrial) {
  begin(kPlain);
  report(MetricValue(0.5), "", 2);
  add(Fact(ReportRejected{1, 1, ++seq_, "step 1 after step 2"}));
  const TrialSettled result = end({EndKind::signalled, SIGTERM, true, "", ""});
  EXPECT_EQ(result.failure, FailureReason::bad_report);
  EXPECT_EQ(result.detail, "step 1 after step 2");
}

AttemptEnd out_of_memory(int code = 1) { return {EndKind::exited, code, false, "", "", "CUDA out of memory. Tried to allocate 2.00 GiB"}; }

TEST_F(SettleTest, AGpuThatIsTooSmallIsTriedOnceMoreWhateverRetriesAre) {
  begin(R"("limits": {"trials": 3}, "trial": {"retries": 0})", {"GPU-a"});
  const TrialSettled first = end(out_of_memory());
  EXPECT_EQ(first.state, TrialState::queued);
  EXPECT_FALSE(first.counts_as_retry);
  EXPECT_NE(first.detail.find("CUDA out of memory"), std::string::npos);
  EXPECT_NE(first.detail.find("once more"), std::string::npos);
  add(Decision(first));
  EXPECT_EQ(study_.outgrown(), std::set<int>{1});
  start(2, {"GPU-a"});
  EXPECT_TRUE(study_.outgrown().empty());
  const TrialSettled second = end(out_of_memory());
  EXPECT_EQ(second.state, TrialState::failed);
  EXPECT_EQ(failure_text(second.failure, second.code), "out_of_memory");
  EXPECT_NE(second.detail.find("CUDA out of memory"), std::string::npos);
}

TEST_F(SettleTest, AGpuThatIsTooSmallTwiceIsNotRetriedForItsExitStatus) {
  begin(R"("limits": {"trials": 3}, "trial": {"retries": 9, "retry_on": [1]})", {"GPU-a"});
  add(Decision(end(out_of_memory())));
  start(2, {"GPU-a"});
  EXPECT_EQ(end(out_of_memory(75)).failure, FailureReason::out_of_memory);
}

TEST_F(SettleTest, AFaultBetweenTheTwoIsRetriedAsElsewhere) {
  begin(kPlain, {"GPU-a"});
  add(Decision(end(out_of_memory())));
  start(2, {"GPU-a"});
  add(Decision(end({EndKind::exited, 75, false, "", ""})));
  EXPECT_EQ(study_.outgrown(), std::set<int>{1}) << "and goes on in a place of its own";
  start(3, {"GPU-a"});
  EXPECT_EQ(end(out_of_memory()).failure, FailureReason::out_of_memory);
}

TEST_F(SettleTest, AnAbortForWantOfMemoryIsNoSignal) {
  begin(kPlain, {"GPU-a"});
  EXPECT_EQ(end({EndKind::signalled, SIGABRT, false, "", "", "CUDA out of memory"}).state, TrialState::queued);
}

TEST_F(SettleTest, WithoutAGpuItIsAnExitLikeAnyOther) {
  begin(kPlain);
  EXPECT_EQ(end(out_of_memory()).failure, FailureReason::exit);
}

TEST_F(SettleTest, WhatATrialReachedBeforeItsVerdictCountsThoughMemoryRanOut) {
  milestone_ = 3;
  begin(R"("limits": {"trials": 3}, "resource": {"name": "epoch", "max": 9})", {"GPU-a"});
  report(MetricValue(0.5), "", 3.0);
  add(Decision(Judged{1, 1, 1, Verdict::stop, std::nullopt, {}, ""}));
  EXPECT_EQ(end(out_of_memory()).state, TrialState::stopped);
}

}  // namespace
}  // namespace hpsearch::testing
