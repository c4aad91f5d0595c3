#include "objectives/learning_curve.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(LearningCurve, FallsFromItsStartToItsAsymptote) {
  const LearningCurve curve{.asymptote = 1.0, .start = 9.0};
  EXPECT_DOUBLE_EQ(curve.value(0), 9.0);
  EXPECT_DOUBLE_EQ(curve.value(1), 5.0);
  EXPECT_NEAR(curve.value(1e9), 1.0, 1e-6);
}

TEST(LearningCurve, OfAFastPoorTrialCrossesThatOfASlowGoodOne) {
  const LearningCurve fast{.asymptote = 2.0, .start = 10.0, .rate = 2.0};
  const LearningCurve slow{.asymptote = 1.0, .start = 10.0, .rate = 1.0};
  EXPECT_LT(fast.value(1), slow.value(1));
  EXPECT_GT(fast.value(100), slow.value(100));
}

TEST(LearningCurve, HasNoiseThatDependsOnSeedAndStepOnly) {
  const LearningCurve curve{.noise = 1.0, .seed = 7};
  const LearningCurve other{.noise = 1.0, .seed = 8};
  EXPECT_EQ(curve.value(3), curve.value(3));
  EXPECT_NE(curve.value(3), other.value(3));
}

}  // namespace
}  // namespace hpsearch
