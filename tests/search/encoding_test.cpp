#include "search/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace hpsearch {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

IntDomain integers(std::int64_t low, std::int64_t high, std::int64_t step = 1, bool log = false) {
  return {.low = low, .high = high, .step = step, .log = log};
}

FloatDomain floats(double low, double high, bool log = false) { return {.low = low, .high = high, .step = {}, .log = log}; }

FloatDomain stepped(double low, double high, double step) { return {.low = low, .high = high, .step = step, .log = false}; }

TEST(Encoding, FloatsAreLinearWithExactEnds) {
  const Domain domain = floats(-2, 6);
  EXPECT_EQ(decoded(domain, 0), -2.0);
  EXPECT_EQ(decoded(domain, 0.25), 0.0);
  EXPECT_EQ(decoded(domain, 1), 6.0);
  EXPECT_DOUBLE_EQ(*encoded(domain, 0.0), 0.25);
  EXPECT_EQ(encoded(domain, 7.0), std::nullopt);
  EXPECT_EQ(encoded(domain, "x"), std::nullopt);
}

TEST(Encoding, LogFloatsAreEvenInTheLogarithm) {
  const Domain domain = floats(1e-5, 1e-1, true);
  EXPECT_NEAR(decoded(domain, 0.5).get<double>(), 1e-3, 1e-15);
  EXPECT_NEAR(*encoded(domain, 1e-3), 0.5, 1e-12);
}

TEST(Encoding, FloatsNeverLeaveTheirBounds) {
  RandomStream random(3, "bounds", 1);
  for (const FloatDomain& domain : {floats(1e-5, 1e-1, true), floats(0.1, 0.3, true), floats(3, 3, true), floats(3, 3),
                                    floats(0.1, 0.3), floats(-1.7e308, 1.7e308), floats(5e-324, 1.7e308, true)})
    for (double unit : {0.0, 1e-300, 0x1p-53, 0.5, 1 - 0x1p-53, 1.0, -0.1, 1.1, random.uniform(), random.uniform()}) {
      const double value = decoded(domain, unit).get<double>();
      EXPECT_GE(value, domain.low);
      EXPECT_LE(value, domain.high);
      const double back = *encoded(domain, value);
      EXPECT_TRUE(back >= 0 && back <= 1) << back;
    }
}

TEST(Encoding, SteppedFloatsAreTheDecimalsOneExpects) {
  const Domain domain = stepped(0, 1, 0.1);
  EXPECT_EQ(last_index(domain), 10u);
  EXPECT_EQ(value_at(domain, 3), 0.3);
  EXPECT_EQ(value_at(domain, 10), 1.0);
  EXPECT_EQ(value_at(stepped(-0.3, 0.3, 0.1), 3).dump(), "0.0");
  EXPECT_EQ(last_index(stepped(0.1, 0.7, 0.1)), 6u);
  EXPECT_EQ(last_index(stepped(100.1, 100.7, 0.1)), 6u);
  EXPECT_EQ(last_index(stepped(0, 1, 0.3)), 3u);
  EXPECT_EQ(last_index(stepped(0, 0.0005, 0.0001)), 5u);
  EXPECT_EQ(value_at(stepped(0, 0.0005, 0.0001), 3), 0.0003);
  EXPECT_EQ(last_index(stepped(2, 2, 0.3)), 0u);
}

TEST(Encoding, SteppedFloatsAreEqualCells) {
  const Domain domain = stepped(0, 1, 0.25);
  EXPECT_EQ(decoded(domain, 0.199), 0.0);
  EXPECT_EQ(decoded(domain, 0.201), 0.25);
  EXPECT_EQ(decoded(domain, 1), 1.0);
  EXPECT_DOUBLE_EQ(*encoded(domain, 0.25), 0.3);
  EXPECT_EQ(encoded(domain, 0.3), std::nullopt);
}

TEST(Encoding, IndexedValuesComeBackFromTheirCoordinate) {
  const ChoiceDomain choices{.choices = {nullptr, true, false, 2, "2", "", Json::array({64, 32}), "a b"}};
  for (const Domain& domain : {Domain(integers(-7, 9)), Domain(integers(3, 50, 4)), Domain(integers(1, 300, 1, true)),
                               Domain(integers(2, 90, 3, true)), Domain(stepped(-1, 1, 0.1)), Domain(choices)})
    for (std::uint64_t i = 0; i <= *last_index(domain); ++i) {
      const Json value = value_at(domain, i);
      EXPECT_EQ(index_of(domain, value), i);
      const auto unit = encoded(domain, value);
      ASSERT_TRUE(unit);
      EXPECT_EQ(decoded(domain, *unit), value);
      EXPECT_EQ(decoded(domain, *unit).type(), value.type());
    }
}

TEST(Encoding, IntegersKeepAllSixtyFourBits) {
  const Domain all = integers(kLowest, kHighest);
  EXPECT_EQ(last_index(all), ~std::uint64_t{0});
  EXPECT_EQ(decoded(all, 0), kLowest);
  EXPECT_EQ(decoded(all, 1), kHighest);
  EXPECT_EQ(decoded(all, 0.5), 0);
  EXPECT_EQ(index_of(all, kHighest), ~std::uint64_t{0});
  EXPECT_DOUBLE_EQ(*encoded(all, 0), 0.5);
  EXPECT_EQ(encoded(all, 9223372036854775808u), std::nullopt);
  EXPECT_EQ(value_at(integers(9007199254740993, 9007199254740999), 1), 9007199254740994);
  EXPECT_EQ(decoded(integers(1, kHighest, 1, true), 1), kHighest);
  EXPECT_EQ(decoded(integers(1, kHighest, 1, true), 0), 1);
}

TEST(Encoding, IntegersOffTheirStepAreRefused) {
  EXPECT_EQ(index_of(integers(3, 50, 4), 8), std::nullopt);
  EXPECT_EQ(index_of(integers(3, 50, 4), 2), std::nullopt);
  EXPECT_EQ(index_of(integers(3, 50, 4), 3.0), std::nullopt);
}

TEST(Encoding, LogIntegersGiveTheEndsTheirHalfCell) {
  const Domain domain = integers(1, 4, 1, true);
  const double whole = std::log(4.5) - std::log(0.5);
  const double first = (std::log(1.5) - std::log(0.5)) / whole;
  EXPECT_EQ(decoded(domain, first - 1e-9), 1);
  EXPECT_EQ(decoded(domain, first + 1e-9), 2);
  EXPECT_NEAR(*encoded(domain, 4), (std::log(4) - std::log(0.5)) / whole, 1e-12);
}

TEST(Encoding, DrawsAreUniformOverIntegersBothEndsIncluded) {
  RandomStream random(5, "draw", 1);
  for (const Domain& domain : {Domain(integers(-2, 2)), Domain(stepped(0, 1, 0.25))}) {
    std::map<Json, int> counts;
    for (int i = 0; i < 50'000; ++i) ++counts[drawn(domain, random)];
    ASSERT_EQ(counts.size(), 5u);
    for (const auto& [value, count] : counts) EXPECT_NEAR(count, 10'000, 500) << value;
  }
}

TEST(Encoding, DrawsOfLogIntegersFollowTheirCells) {
  RandomStream random(5, "draw", 2);
  std::map<Json, int> counts;
  for (int i = 0; i < 50'000; ++i) ++counts[drawn(integers(1, 4, 1, true), random)];
  const double whole = std::log(4.5) - std::log(0.5);
  for (int value = 1; value <= 4; ++value)
    EXPECT_NEAR(counts[value], 50'000 * (std::log(value + 0.5) - std::log(value - 0.5)) / whole, 500) << value;
}

TEST(Encoding, DrawsOverAllIntegersHaveBothSignsAndAllBits) {
  RandomStream random(5, "draw", 3);
  int negative = 0, odd = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto value = drawn(integers(kLowest, kHighest), random).get<std::int64_t>();
    negative += value < 0;
    odd += value & 1;
  }
  EXPECT_NEAR(negative, 500, 80);
  EXPECT_NEAR(odd, 500, 80);
}

TEST(Encoding, FixedParametersHaveNoCoordinate) {
  const Domain domain = FixedDomain{"x"};
  RandomStream random(5, "draw", 4);
  EXPECT_EQ(encoded(domain, "x"), std::nullopt);
  EXPECT_EQ(drawn(domain, random), "x");
  const Space space{.params = {{"a", integers(1, 4), {}}, {"f", domain, {}}, {"b", floats(0, 1), {}}}, .constraints = {}};
  const auto unit = encoded(space, Json{{"a", 1}, {"f", "x"}});
  ASSERT_EQ(unit.size(), 2u);
  EXPECT_DOUBLE_EQ(*unit[0], 0.125);
  EXPECT_EQ(unit[1], std::nullopt);
}

}  // namespace
}  // namespace hpsearch
