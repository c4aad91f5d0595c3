#include "trials/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hpsearch {
namespace {

TEST(Number, Re3ReadsWholeTokensInManyForms) {
  EXPECT_EQ(parse_number("7.5e-05"), 7.5e-05);
  EXPECT_EQ(parse_number("888"), 888.0);
  EXPECT_EQ(parse_number("888.33"), 888.33);
  EXPECT_EQ(parse_number(".98"), 0.98);
  EXPECT_EQ(parse_number("+1E3"), 1000.0);
  EXPECT_EQ(parse_number("5."), 5.0);
  const auto negative_zero = parse_number("-0.0");
  ASSERT_TRUE(negative_zero);
  EXPECT_TRUE(*negative_zero == 0 && std::signbit(*negative_zero));
}

TEST(Number, Re3RejectsWhatIsNoNumberAsAWhole) {
  for (const char* token : {"12abc", "0,5", "", "--3", "+-3", "-+3", "++3", "+", "-", ".", "1e5 2", "0x10", " 1", "1 ",
                            "1e", "nan(1)", "infinit", "1_000"})
    EXPECT_FALSE(parse_number(token)) << token;
}

TEST(Number, ReadsNonFiniteWordsInAnyCase) {
  for (const char* token : {"nan", "NaN", "-nan", "+NAN"}) EXPECT_TRUE(std::isnan(*parse_number(token))) << token;
  for (const char* token : {"inf", "Infinity", "+INF"}) EXPECT_GT(*parse_number(token), 1e308) << token;
  EXPECT_LT(*parse_number("-Infinity"), -1e308);
}

TEST(Number, BeyondADoubleIsInfinityOrZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_number("1e400"), infinity);
  EXPECT_EQ(parse_number("-1e400"), -infinity);
  EXPECT_EQ(parse_number(std::string(400, '9')), infinity);
  EXPECT_EQ(parse_number("1e99999999999999999999"), infinity);
  EXPECT_EQ(parse_number("0.001e312"), infinity);
  EXPECT_EQ(parse_number("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*parse_number("-1e-400")));
  EXPECT_EQ(parse_number("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_number("0e999999"), 0.0);
  EXPECT_EQ(parse_number("1e308"), 1e308);
}

TEST(Number, KeepsSubnormals) {
  EXPECT_EQ(parse_number("1e-320"), 1e-320);
  EXPECT_GT(*parse_number("4.9e-324"), 0);
}

TEST(Number, IntegersAreExactOrRefused) {
  EXPECT_EQ(parse_integer("9007199254740993"), 9007199254740993);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer("+7"), 7);
  for (const char* token : {"9223372036854775808", "1.0", "1e3", "", "+", "7 ", "0x7"})
    EXPECT_FALSE(parse_integer(token)) << token;
}

TEST(Number, FormatsTheShortestTextThatReadsBack) {
  EXPECT_EQ(format_number(27), "27");
  EXPECT_EQ(format_number(100000), "100000");
  EXPECT_EQ(format_number(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1e-5), "1e-5");
  EXPECT_EQ(format_number(1e20), "1e20");
  EXPECT_EQ(format_number(-1.5e-300), "-1.5e-300");
  EXPECT_EQ(format_number(-0.0), "-0");
  EXPECT_EQ(format_number(std::nan("")), "nan");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::infinity()), "-inf");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, 123456.789, 9007199254740994.0})
    EXPECT_EQ(parse_number(format_number(value)), value);
}

}  // namespace
}  // namespace hpsearch
