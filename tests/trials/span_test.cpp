#include <gtest/gtest.h>

#include "trials/number.h"

namespace hpsearch {
namespace {

TEST(SpanText, ReadsUnitsAndPlainSeconds) {
  EXPECT_EQ(parse_span_ms("90s"), 90'000);
  EXPECT_EQ(parse_span_ms("30m"), 1'800'000);
  EXPECT_EQ(parse_span_ms("2h"), 7'200'000);
  EXPECT_EQ(parse_span_ms("1d12h"), 129'600'000);
  EXPECT_EQ(parse_span_ms("500ms"), 500);
  EXPECT_EQ(parse_span_ms("1.5h"), 5'400'000);
  EXPECT_EQ(parse_span_ms("1h 5m"), 3'900'000);
  EXPECT_EQ(parse_span_ms("90"), 90'000);
  EXPECT_EQ(parse_span_ms("0.25"), 250);
}

TEST(SpanText, RefusesWhatIsNoPositiveSpan) {
  for (const char* text : {"", "0", "0s", "-5s", "-5", "2x", "h", "5m2h", "1h1h", "1..5h", "nan", "inf", "1e300", "2 h",
                           "2H", "99999999999d"})
    EXPECT_FALSE(parse_span_ms(text)) << text;
}

TEST(SpanText, WritesAtMostTwoUnits) {
  EXPECT_EQ(format_span_ms(3'900'000), "1h 5m");
  EXPECT_EQ(format_span_ms(7'200'000), "2h");
  EXPECT_EQ(format_span_ms(129'600'000), "1d 12h");
  EXPECT_EQ(format_span_ms(90'000), "1m 30s");
  EXPECT_EQ(format_span_ms(12'300), "12s");
  EXPECT_EQ(format_span_ms(400), "0.4s");
  EXPECT_EQ(format_span_ms(9'960), "10s");
  EXPECT_EQ(format_span_ms(7), "0.007s");
  EXPECT_EQ(format_span_ms(0), "0s");
  EXPECT_EQ(format_span_ms(-5), "0s");
}

}  // namespace
}  // namespace hpsearch
