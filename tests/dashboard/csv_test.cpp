#include "dashboard/csv.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(CsvField, QuotesOnlyWhereItMust) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("q\"q"), "\"q\"\"q\"");
  EXPECT_EQ(csv_field("l1\nl2"), "\"l1\nl2\"");
  EXPECT_EQ(csv_field("=1+1"), "=1+1");
}

TEST(CsvRecord, JoinsFields) { EXPECT_EQ(csv_record({"1", "", "a,b"}), "1,,\"a,b\"\n"); }

TEST(CsvValue, KeepsNumbersExact) {
  EXPECT_EQ(csv_value(0.30000000000000004), "0.30000000000000004");
  EXPECT_EQ(csv_value(1e-17), "1e-17");
  EXPECT_EQ(csv_value(std::int64_t{9223372036854775807}), "9223372036854775807");
}

TEST(CsvValue, WritesOtherKindsAsJson) {
  EXPECT_EQ(csv_value(true), "true");
  EXPECT_EQ(csv_value(nullptr), "null");
  EXPECT_EQ(csv_value(Json::array({1, "a"})), "[1,\"a\"]");
  EXPECT_EQ(csv_value("leaky relu"), "leaky relu");
}

}  // namespace
}  // namespace hpsearch
