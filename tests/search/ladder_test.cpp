#include "search/ladder.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace hpsearch {
namespace {

using Levels = std::vector<std::int64_t>;

Levels levels(const Ladder& ladder) {
  Levels result;
  for (std::size_t rung = 0; rung < ladder.rungs(); ++rung) result.push_back(ladder.level(rung));
  return result;
}

struct Geometry {
  std::int64_t r, top;
  double eta;
  Levels rungs;
};

void PrintTo(const Geometry& g, std::ostream* out) { *out << g.r << ".." << g.top << " eta " << g.eta; }

class GoldenLadder : public ::testing::TestWithParam<Geometry> {};

TEST_P(GoldenLadder, HasTheseRungs) {
  const Ladder ladder = Ladder::geometric(GetParam().r, GetParam().top, GetParam().eta);
  EXPECT_EQ(levels(ladder), GetParam().rungs);
  EXPECT_EQ(ladder.top(), GetParam().top);
}

INSTANTIATE_TEST_SUITE_P(Ladder, GoldenLadder,
                         ::testing::Values(Geometry{1, 81, 3, {1, 3, 9, 27}}, Geometry{1, 243, 3, {1, 3, 9, 27, 81}},
                                           Geometry{1, 200, 3, {1, 3, 9, 27, 81}}, Geometry{1, 100, 4, {1, 4, 16, 64}},
                                           Geometry{10, 100, 3, {10, 30, 90}}, Geometry{5, 50, 3, {5, 15, 45}},
                                           Geometry{1, 256, 4, {1, 4, 16, 64}}, Geometry{1, 1000, 10, {1, 10, 100}},
                                           Geometry{4, 4, 3, {}}, Geometry{4, 4, 1.5, {}},
                                           Geometry{1, 10, 1.3, {1, 2, 3, 4, 5, 6, 8}}, Geometry{1, 16, 2.5, {1, 3, 6}},
                                           Geometry{4, 36, 3, {4, 12}}, Geometry{1, 9, 1e300, {1}},
                                           Geometry{1, std::numeric_limits<std::int64_t>::max(), 1e18, {1, 1'000'000'000'000'000'000}}));

TEST(Ladder, BracketDropsTheLowestRungs) {
  EXPECT_EQ(levels(Ladder::geometric(1, 27, 3).without_lowest(1)), (Levels{3, 9}));
  EXPECT_EQ(levels(Ladder::geometric(1, 27, 3).without_lowest(7)), Levels{});
}

TEST(Ladder, RefusesImpossibleGeometry) {
  EXPECT_THROW(Ladder::geometric(10, 9, 3), std::invalid_argument);
  EXPECT_THROW(Ladder::geometric(0, 9, 3), std::invalid_argument);
  for (double eta : {1.0, 0.5, -3.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(Ladder::geometric(1, 9, eta), std::invalid_argument) << eta;
}

TEST(Ladder, ListedLevelsLoseALastOneAtTheTop) {
  EXPECT_EQ(levels(Ladder::listed({1, 5, 20}, 20)), (Levels{1, 5}));
  EXPECT_EQ(levels(Ladder::listed({1, 5, 20}, 27)), (Levels{1, 5, 20}));
}

TEST(Ladder, RefusesWrongLists) {
  EXPECT_THROW(Ladder::listed({}, 9), std::invalid_argument);
  EXPECT_THROW(Ladder::listed({0, 3}, 9), std::invalid_argument);
  EXPECT_THROW(Ladder::listed({3, 3}, 9), std::invalid_argument);
  EXPECT_THROW(Ladder::listed({3, 1}, 9), std::invalid_argument);
  EXPECT_THROW(Ladder::listed({3, 10}, 9), std::invalid_argument);
}

TEST(Ladder, LastRungOffTheLadderKeepsItsOwnFraction) {
  const Ladder ladder = Ladder::geometric(1, 100, 3);
  Levels kept;
  for (std::int64_t n = 1; n <= 7; ++n) kept.push_back(ladder.kept(n, 4));
  EXPECT_EQ(kept, (Levels{0, 1, 2, 3, 4, 4, 5}));
}

TEST(Ladder, KeepsOneInEtaElsewhere) {
  const Ladder ladder = Ladder::geometric(1, 100, 3);
  for (std::size_t rung = 0; rung < 4; ++rung)
    for (std::int64_t n = 0; n < 50; ++n) {
      EXPECT_EQ(ladder.kept(n, rung), n / 3);
      EXPECT_EQ(ladder.kept_rounded_up(n, rung), (n + 2) / 3);
    }
}

TEST(Ladder, KeptDoesNotOverflow) {
  const std::int64_t top = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Ladder::listed({top / 3}, top).kept(3'000'000'000, 0), 999'999'999);
}

TEST(Ladder, NamesTheNextLevel) {
  const Ladder ladder = Ladder::geometric(1, 27, 3);
  EXPECT_EQ(ladder.next(0), 1);
  EXPECT_EQ(ladder.next(1), 3);
  EXPECT_EQ(ladder.next(2.5), 3);
  EXPECT_EQ(ladder.next(9), 27);
  EXPECT_EQ(ladder.next(40), 27);
  EXPECT_EQ(ladder.reached(8.9), 2u);
  EXPECT_EQ(ladder.reached(9), 3u);
  EXPECT_EQ(ladder.rung_at(9), 2u);
  EXPECT_EQ(ladder.rung_at(8), std::nullopt);
  EXPECT_EQ(ladder.rung_at(27), std::nullopt);
}

}  // namespace
}  // namespace hpsearch
