#include "dashboard/value_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace hpsearch {
namespace {

TEST(ValueJson, NeverHoldsWhatStrictReadersRefuse) {
  EXPECT_EQ(value_json(MetricValue(0.1)).dump(), "0.1");
  EXPECT_EQ(value_json(MetricValue::parse("NaN")).dump(), "\"NaN\"");
  EXPECT_EQ(value_json(MetricValue::parse("12abc")).dump(), "\"12abc\"");
  EXPECT_EQ(value_json(MetricValue::parse("")).dump(), "\"\"");
  EXPECT_EQ(value_json(std::nullopt).dump(), "null");
  EXPECT_EQ(number_json(std::numeric_limits<double>::infinity()).dump(), "\"inf\"");
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(json_text("a\xff"), "\"a\xef\xbf\xbd\"\n"); }

TEST(ExactValue, ReadsBackAsTheSameDouble) {
  EXPECT_EQ(exact_value(MetricValue(0.30000000000000004)), "0.30000000000000004");
  EXPECT_EQ(exact_value(std::nullopt), "");
}

TEST(ShortValue, HasSixDigitsUnlessTheExactTextIsAsShort) {
  EXPECT_EQ(short_value(MetricValue(0.12345678)), "0.123457");
  EXPECT_EQ(short_value(MetricValue(1e-320)), "1e-320");
  EXPECT_EQ(short_value(MetricValue::parse("-inf")), "-inf");
  EXPECT_EQ(short_value(std::nullopt), "-");
}

TEST(ParamsText, QuotesTextThatWouldMislead) {
  EXPECT_EQ(params_text({{"lr", 0.015625}, {"act", "relu"}, {"k", "leaky relu"}, {"b", true}}),
            "lr=0.015625 act=relu k=\"leaky relu\" b=true");
  EXPECT_EQ(params_text({{"k", "l1\nl2"}}), "k=\"l1\\nl2\"");
}

TEST(IsoTime, IsUtcWithMilliseconds) {
  EXPECT_EQ(iso_time(Time(Span(0))), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(Time(Span(1'796'054'400'007))), "2026-11-30T16:00:00.007Z");
}

}  // namespace
}  // namespace hpsearch
