#include "scheduler/settle.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tests/scheduler/simulation.h"

namespace hpsearch::testing {
namespace {

// One trial with one attempt that ended, and what was known of it.
class SettleTest : public ::testing::Test {
 protected:
  void begin(const std::string& members) {
    Simulation simulation(space_with(members));
    add(Fact(simulation.created));
    add(Fact(SessionStarted{"host", 1, {here(1)}, ""}));
    add(Decision(TrialSuggested{1, {Json{{"x", 0.5}}, {0.5}, "random", "", {}}, 0, std::nullopt}));
    add(Decision(AttemptPlanned{1, 1, "id", {"local", 0, {}}, std::nullopt, 0, ""}));
    add(Fact(AttemptStarted{1, 1, 42}));
  }

  void report(std::optional<MetricValue> value, const std::string& others = "", std::optional<double> step = {}) {
    add(Fact(Reported{1, 1, ++seq_, step, value, others, "", Time{}}));
  }

  TrialSettled end(AttemptEnd end) {
    add(Fact(AttemptEnded{1, 1, end, Time{}}));
    return settle(study_, study_.trial(1));
  }

  void add(std::variant<Fact, Decision> body) { study_.apply({study_.last_seq() + 1, Time{}, std::move(body)}); }

  Study study_;
  std::uint64_t seq_ = 0;
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

}  // namespace
}  // namespace hpsearch::testing
