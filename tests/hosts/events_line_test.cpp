#include "scheduler/hosts/events_line.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hpsearch {
namespace {

EventsLine sample() {
  Report report{2.5, {{"loss", MetricValue(0.5)}, {"a \"b\"", MetricValue::parse("12abc")}, {"n", MetricValue::parse("nan")}}, "e/2"};
  return {7, Time(Span(1700000000123)), report};
}

TEST(EventsLine, ReadsWhatItWrites) { EXPECT_EQ(parse_events_line(events_text(sample())), sample()); }

TEST(EventsLine, ReadsRejections) {
  const EventsLine line{3, Time(Span(5)), Rejection{"step is negative: \"-1\"\n\x01 é"}};
  EXPECT_EQ(parse_events_line(events_text(line)), line);
}

TEST(EventsLine, EveryTornLineIsNone) {
  const std::string whole = events_text(sample());
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_EQ(parse_events_line(whole.substr(0, n)), std::nullopt) << n;
}

TEST(EventsLine, DamageIsNone) {
  for (const char* text : {"", "{}", "[]", "null", "{\"seq\":0,\"at\":1,\"metrics\":{\"a\":1}}", "{\"seq\":1,\"at\":1}",
                           "{\"seq\":1,\"at\":1,\"metrics\":{}}", "{\"seq\":-1,\"at\":1,\"metrics\":{\"a\":1}}",
                           "{\"seq\":1.5,\"at\":1,\"metrics\":{\"a\":1}}", "{\"seq\":1,\"at\":1,\"step\":-1,\"metrics\":{\"a\":1}}",
                           "{\"seq\":1,\"at\":1,\"metrics\":{\"a\":1}} x", "{\"seq\":1,\"at\":1,\"metrics\":{\"a\":[1]}}",
                           "{\"seq\":1,\"at\":1,\"metrics\":{\"\xff\":1}}"})
    EXPECT_EQ(parse_events_line(text), std::nullopt) << text;
  EXPECT_EQ(parse_events_line(std::string_view("{\"seq\":1,\0\"at\":1}", 18)), std::nullopt);
}

TEST(EventsLine, AFactCarriesTheStudysMetricApart) {
  const Fact fact = fact_of(sample(), 4, 2, "loss");
  const auto& reported = std::get<Reported>(fact);
  EXPECT_EQ(reported.trial, 4);
  EXPECT_EQ(reported.attempt, 2);
  EXPECT_EQ(reported.attempt_seq, 7u);
  EXPECT_EQ(reported.value, MetricValue(0.5));
  EXPECT_EQ(reported.checkpoint, "e/2");
  EXPECT_EQ(reported.other_metrics, R"({"a \"b\"":"12abc","n":"nan"})");
  EXPECT_FALSE(std::get<Reported>(fact_of(sample(), 4, 2, "missing")).value.has_value());
}

}  // namespace
}  // namespace hpsearch
