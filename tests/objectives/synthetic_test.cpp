#include "objectives/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "objectives/counter_noise.h"

namespace hpsearch {
namespace {

struct Case {
  std::string name;
  std::size_t dimension;
  std::uint64_t shift_seed;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << ' ' << c.dimension << ' ' << c.shift_seed; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& name : synthetic_names()) {
    for (const std::size_t dimension : {std::size_t{2}, std::size_t{6}, std::size_t{20}}) {
      if (synthetic_dimension(name).value_or(dimension) != dimension) continue;
      for (const std::uint64_t seed : {0, 1, 2, 3}) all.push_back({name, dimension, seed});
    }
  }
  return all;
}

class SyntheticFunctionTest : public testing::TestWithParam<Case> {
 protected:
  SyntheticFunction function_ = synthetic_function(GetParam().name, GetParam().dimension, GetParam().shift_seed);
};

TEST_P(SyntheticFunctionTest, HasItsMinimumAtTheMinimizer) {
  EXPECT_NEAR(function_.value(function_.minimizer), function_.minimum, 1e-9);
}

TEST_P(SyntheticFunctionTest, HasTheMinimizerInsideTheBox) {
  ASSERT_EQ(function_.minimizer.size(), function_.box.size());
  for (std::size_t i = 0; i < function_.box.size(); ++i) {
    EXPECT_GT(function_.minimizer[i], function_.box[i].low);
    EXPECT_LT(function_.minimizer[i], function_.box[i].high);
  }
}

TEST_P(SyntheticFunctionTest, IsNowhereBelowItsMinimum) {
  std::vector<double> point(function_.box.size());
  for (std::uint64_t draw = 0; draw < 2000; ++draw) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      const auto [low, high] = function_.box[i];
      point[i] = low + (high - low) * counter_uniform(draw, i);
    }
    EXPECT_GE(function_.value(point), function_.minimum);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SyntheticFunctionTest, testing::ValuesIn(cases()));

TEST(SyntheticFunction, MovesWithTheSeedAndStaysWithIt) {
  const auto minimizer = [](std::uint64_t seed) { return synthetic_function("ackley", 3, seed).minimizer; };
  EXPECT_EQ(minimizer(4), minimizer(4));
  EXPECT_NE(minimizer(4), minimizer(5));
}

TEST(SyntheticFunction, MatchesPublishedValues) {
  const auto value = [](const std::string& name, std::vector<double> x) {
    return synthetic_function(name, x.size(), 0).value(x);
  };
  EXPECT_NEAR(value("branin", {-M_PI, 12.275}), 0.397887, 1e-6);
  EXPECT_NEAR(value("branin", {9.42478, 2.475}), 0.397887, 1e-6);
  EXPECT_NEAR(value("branin", {0, 0}), 55.602113, 1e-6);
  EXPECT_DOUBLE_EQ(value("rosenbrock", {0, 0, 0}), 2.0);
  EXPECT_NEAR(value("ackley", {1, 1}), 3.625385, 1e-6);
}

TEST(SyntheticFunction, RefusesAnUnknownNameAndAWrongDimension) {
  EXPECT_THROW(synthetic_function("brainin", 2, 0), std::invalid_argument);
  EXPECT_THROW(synthetic_function("branin", 3, 0), std::invalid_argument);
  EXPECT_THROW(synthetic_function("rosenbrock", 1, 0), std::invalid_argument);
  EXPECT_THROW(synthetic_function("levy", 0, 0), std::invalid_argument);
}

TEST(MixedConditional, HasItsMinimumAtTheMinimizer) {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    EXPECT_NEAR(mixed_conditional(mixed_conditional_minimizer(seed), seed), kMixedConditionalMinimum, 1e-12);
  }
}

TEST(MixedConditional, IsBestForSgdAtTheDocumentedPoint) {
  EXPECT_NEAR(mixed_conditional({"sgd", std::pow(10, -1.5), 0.85, 3, 64}, 0), 0.1, 1e-12);
}

TEST(MixedConditional, RefusesInactiveValues) {
  EXPECT_THROW(mixed_conditional({"adam", 1e-3, 0.9, 1, std::nullopt}, 0), std::invalid_argument);
  EXPECT_THROW(mixed_conditional({"sgd", 1e-3, std::nullopt, 1, std::nullopt}, 0), std::invalid_argument);
  EXPECT_THROW(mixed_conditional({"adam", 1e-3, std::nullopt, 1, 64}, 0), std::invalid_argument);
  EXPECT_THROW(mixed_conditional({"adam", 1e-3, std::nullopt, 2, std::nullopt}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace hpsearch
