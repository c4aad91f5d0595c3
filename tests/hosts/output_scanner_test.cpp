#include "scheduler/hosts/output_scanner.h"

#include <gtest/gtest.h>

#include "trials/report_parts.h"

namespace hpsearch {
namespace {

const std::vector<CollectRule> kRules = {{"stdout", "epoch (\\d+).* loss=(\\S+)(?: acc=(\\S+))?", {"step", "loss", "acc"}},
                                         {"stderr", "final (\\S+)", {"loss"}}};

TEST(OutputScanner, FindsMarkedLinesOnStandardOutputOnly) {
  const std::string line = "hpsearch: step=3 loss=0.5";
  ASSERT_EQ(OutputScanner({}, "stdout").reports(line).size(), 1u);
  EXPECT_EQ(OutputScanner({}, "stdout").reports(line)[0].step, 3.0);
  EXPECT_TRUE(OutputScanner({}, "stderr").reports(line).empty());
  EXPECT_TRUE(OutputScanner({}, "stdout").reports("say hpsearch: step=3 loss=1").empty());
}

TEST(OutputScanner, RulesNameTheirGroups) {
  const auto reports = OutputScanner(kRules, "stdout").reports("[x] epoch 7 took 2s loss=1e-3");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0], (Report{7.0, {{"loss", MetricValue(1e-3)}}, ""}));
  EXPECT_EQ(OutputScanner(kRules, "stdout").reports("epoch 7 loss=nan acc=0.5")[0].metrics.size(), 2u);
  EXPECT_TRUE(OutputScanner(kRules, "stdout").reports("final 2").empty());
  EXPECT_EQ(OutputScanner(kRules, "stderr").reports("final 2").size(), 1u);
}

TEST(OutputScanner, IsIdleWithoutAnythingToLookFor) {
  EXPECT_TRUE(OutputScanner({}, "stderr").idle());
  EXPECT_FALSE(OutputScanner(kRules, "stderr").idle());
  EXPECT_FALSE(OutputScanner({}, "stdout").idle());
}

TEST(OutputScanner, AStepThatIsNoNumberIsSaid) {
  const OutputScanner scanner({{"stdout", "at (\\S+): (\\S+)", {"step", "loss"}}}, "stdout");
  EXPECT_THROW(scanner.reports("at three: 1"), BadStep);
}

TEST(OutputScanner, NoPatternTakesForEver) {
  const OutputScanner scanner({{"stdout", "^((a+)+)$", {"x", "loss"}}}, "stdout");
  EXPECT_TRUE(scanner.reports(std::string(100'000, 'a') + "b").empty());
}

TEST(OutputScanner, GroupsBeyondTheFirstKilobytesAreWhole) {
  const OutputScanner scanner({{"stdout", "loss=(\\S+)", {"loss"}}}, "stdout");
  const auto reports = scanner.reports(std::string(70'000, ' ') + "loss=0.123e-3");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].metrics.at("loss").number, 0.123e-3);
}

TEST(OutputScanner, AVeryLongLineIsHarmless) {
  const OutputScanner scanner({{"stdout", "(a|b)*c(.*)", {"x", "loss"}}}, "stdout");
  EXPECT_NO_THROW(scanner.reports(std::string(1 << 20, 'a')));
}

}  // namespace
}  // namespace hpsearch
