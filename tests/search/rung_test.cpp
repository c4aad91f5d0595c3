#include "search/rung.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

#include "trials/random.h"

namespace hpsearch {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

const auto kAnyone = [](int) { return true; };

// Enters values as trials 1, 2, ...; each waits.
Rung rung_of(const std::vector<double>& values, Goal goal = Goal::minimize) {
  Rung rung(goal);
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    rung.enter(i + 1, values[i], i + 1);
    rung.offer(i + 1);
  }
  return rung;
}

// Waiting trials, best first.
std::vector<int> order(Rung rung) {
  std::vector<int> result;
  while (const auto best = rung.best_waiting(rung.size(), kAnyone)) {
    result.push_back(best->trial);
    rung.withdraw(best->trial);
  }
  return result;
}

TEST(Rung, OrdersByTheGoal) {
  EXPECT_EQ(order(rung_of({.5, .3, .4})), (std::vector{2, 3, 1}));
  EXPECT_EQ(order(rung_of({.5, .3, .4}, Goal::maximize)), (std::vector{1, 3, 2}));
}

TEST(Rung, EqualValuesRankByEntry) {
  EXPECT_EQ(order(rung_of({.4, .4, .4})), (std::vector{1, 2, 3}));
  EXPECT_EQ(order(rung_of({.4, .4, .4}, Goal::maximize)), (std::vector{1, 2, 3}));
}

TEST(Rung, MinusZeroEqualsZero) {
  EXPECT_EQ(order(rung_of({0.0, -0.0, 0.0})), (std::vector{1, 2, 3}));
  EXPECT_EQ(order(rung_of({-0.0, 0.0}, Goal::maximize)), (std::vector{1, 2}));
}

TEST(Rung, ValuesThatAreNotFiniteAreEquallyWorst) {
  for (Goal goal : {Goal::minimize, Goal::maximize}) {
    const Rung rung = rung_of({kNan, kInf, -kInf, 1e308, -1e308}, goal);
    EXPECT_EQ(rung.rank_of_next(-kInf), 6);
    EXPECT_EQ(rung.rank_of_next(kInf), 6);
    EXPECT_EQ(rung.rank_of_next(kNan), 6);
    EXPECT_EQ(rung.rank_of_next(0), 2);
    EXPECT_EQ(order(rung).size(), 2u) << "they never wait";
  }
}

TEST(Rung, NextOneRanksAfterItsEquals) {
  const Rung rung = rung_of({.5, .3, .5, .7});
  EXPECT_EQ(rung.rank_of_next(.3), 2);
  EXPECT_EQ(rung.rank_of_next(.5), 4);
  EXPECT_EQ(rung.rank_of_next(.2), 1);
  EXPECT_EQ(rung_of({}).rank_of_next(.2), 1);
  EXPECT_EQ(rung_of({}).rank_of_next(kNan), 1);
}

TEST(Rung, OnlyTheFirstKAreCandidates) {
  Rung rung = rung_of({.5, .3, .4, .2});
  rung.withdraw(4);
  EXPECT_FALSE(rung.best_waiting(1, kAnyone));
  const auto best = rung.best_waiting(2, kAnyone);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->trial, 2);
  EXPECT_EQ(best->rank, 2);
}

TEST(Rung, OneWhoIsNotEligibleIsPassedOverButKeepsItsPlace) {
  const Rung rung = rung_of({.5, .3, .4, .2});
  const auto not_four = [](int trial) { return trial != 4; };
  EXPECT_FALSE(rung.best_waiting(1, not_four));
  EXPECT_EQ(rung.best_waiting(2, not_four)->trial, 2);
}

TEST(Rung, WithdrawnTrialCanBeOfferedAgain) {
  Rung rung = rung_of({.5, .3});
  rung.withdraw(2);
  rung.offer(2);
  EXPECT_EQ(rung.best_waiting(1, kAnyone)->trial, 2);
  rung.withdraw(99);
}

TEST(Rung, MaximisingMirrorsMinimisingTheNegated) {
  RandomStream random(7, "rung", 1);
  std::vector<double> values, negated;
  for (int i = 0; i < 500; ++i) {
    double value = static_cast<double>(random.below(40)) - 20;
    if (random.below(10) == 0) value = kNan;
    values.push_back(value);
    negated.push_back(-value);
  }
  EXPECT_EQ(order(rung_of(values, Goal::maximize)), order(rung_of(negated)));
}

TEST(Rung, HundredThousandEntriesTakeLessThanASecondOfCpu) {
  RandomStream random(7, "rung", 2);
  const std::clock_t start = std::clock();
  Rung rung(Goal::minimize);
  std::int64_t promoted = 0;
  for (int trial = 1; trial <= 100'000; ++trial) {
    const double value = random.uniform();
    ASSERT_GE(rung.rank_of_next(value), 1);
    rung.enter(trial, value, trial);
    rung.offer(trial);
    if (const auto best = rung.best_waiting(rung.size() / 3, kAnyone)) {
      rung.withdraw(best->trial);
      ++promoted;
    }
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, kSanitized ? 10.0 : 1.0);
  EXPECT_GE(promoted, 33'333);
  EXPECT_LT(promoted, 34'333);
}

}  // namespace
}  // namespace hpsearch
