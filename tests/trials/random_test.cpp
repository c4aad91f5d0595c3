#include "trials/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace hpsearch {
namespace {

using Block = std::array<std::uint32_t, 4>;

// Known answers of the Random123 distribution.
TEST(Philox, GivesTheKnownAnswers) {
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

std::vector<std::uint64_t> draws(RandomStream stream, int n) {
  std::vector<std::uint64_t> all(n);
  std::generate(all.begin(), all.end(), stream);
  return all;
}

TEST(RandomStream, IsAFunctionOfSeedPurposeAndTrial) {
  EXPECT_EQ(draws({1, "suggest", 3}, 9), draws({1, "suggest", 3}, 9));
  std::set<std::uint64_t> firsts;
  for (const RandomStream& stream : {RandomStream{1, "suggest", 3}, RandomStream{2, "suggest", 3},
                                     RandomStream{1, "bracket", 3}, RandomStream{1, "suggest", 4},
                                     RandomStream{1ull << 32, "suggest", 3}, RandomStream{1, "suggest", 3ull << 32}})
    firsts.insert(draws(stream, 1)[0]);
  EXPECT_EQ(firsts.size(), 6u);
}

TEST(RandomStream, NeverRepeatsABlock) {
  const auto all = draws({7, "x", 1}, 10000);
  EXPECT_EQ(std::set<std::uint64_t>(all.begin(), all.end()).size(), all.size());
}

TEST(RandomStream, UniformFillsTheHalfOpenUnitInterval) {
  RandomStream stream(5, "uniform", 1);
  double sum = 0, least = 1, most = 0;
  for (int i = 0; i < 20000; ++i) {
    const double draw = stream.uniform();
    sum += draw;
    least = std::min(least, draw);
    most = std::max(most, draw);
  }
  EXPECT_NEAR(sum / 20000, 0.5, 0.01);
  EXPECT_GE(least, 0);
  EXPECT_LT(least, 0.001);
  EXPECT_LT(most, 1);
  EXPECT_GT(most, 0.999);
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
  RandomStream stream(5, "below", 1);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[stream.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(stream.below(1), 0u);
}

TEST(RandomStream, BelowZeroMeansTheWholeRange) {
  RandomStream whole(5, "below", 2), plain(5, "below", 2);
  EXPECT_EQ(whole.below(0), plain());
}

TEST(RandomStream, BelowIsUnbiasedForBoundsNearTheRange) {
  RandomStream stream(5, "below", 3);
  const std::uint64_t bound = 3ull << 62;  // A plain remainder would give the lowest quarter half of all draws.
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += stream.below(bound) < (1ull << 62);
  EXPECT_NEAR(low, 3333, 200);
}

}  // namespace
}  // namespace hpsearch
