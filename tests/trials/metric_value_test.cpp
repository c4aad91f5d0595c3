#include "trials/metric_value.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(MetricValue, FiniteNumbersNeedNoText) {
  const MetricValue value = MetricValue::parse("+1E3");
  EXPECT_TRUE(value.finite());
  EXPECT_EQ(value.number, 1000);
  EXPECT_EQ(value.text, "");
}

TEST(MetricValue, NonFiniteNumbersKeepTheirText) {
  const MetricValue value = MetricValue::parse("1e400");
  EXPECT_TRUE(value.is_number);
  EXPECT_FALSE(value.finite());
  EXPECT_TRUE(std::isinf(value.number));
  EXPECT_EQ(value.text, "1e400");
}

TEST(MetricValue, TextThatIsNoNumberIsKeptAsSent) {
  const MetricValue value = MetricValue::parse("12abc");
  EXPECT_FALSE(value.is_number);
  EXPECT_FALSE(value.finite());
  EXPECT_TRUE(std::isnan(value.number));
  EXPECT_EQ(value.text, "12abc");
}

TEST(MetricValue, NanEqualsNanAndTextEqualsItsText) {
  EXPECT_EQ(MetricValue(std::nan("")), MetricValue::parse("NaN"));
  EXPECT_FALSE(MetricValue(1) == MetricValue(2));
  EXPECT_EQ(MetricValue::parse("x"), MetricValue::parse("x"));
  EXPECT_FALSE(MetricValue::parse("x") == MetricValue::parse("y"));
  EXPECT_FALSE(MetricValue::parse("x") == MetricValue(std::nan("")));
}

}  // namespace
}  // namespace hpsearch
