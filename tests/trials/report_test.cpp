#include "trials/report.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <stdexcept>

#include "trials/json_scanner.h"
#include "trials/report_parts.h"

namespace hpsearch {
namespace {

TEST(ReportJson, ReadsTheProtocolsObject) {
  const Report report = parse_report_json(R"( {"step": 3, "metrics": {"val_accuracy": 0.91, "loss": 1e-5}, "checkpoint": "e3"} )");
  EXPECT_EQ(report, (Report{3.0, {{"val_accuracy", MetricValue(0.91)}, {"loss", MetricValue(1e-5)}}, "e3"}));
}

TEST(ReportJson, WithoutStepOrCheckpoint) {
  EXPECT_EQ(parse_report_json(R"({"metrics":{"auc":0.9}})"), (Report{{}, {{"auc", MetricValue(0.9)}}, ""}));
  EXPECT_EQ(parse_report_json(R"({"step":null,"checkpoint":null,"metrics":{"auc":0.9}})").step, std::nullopt);
}

TEST(ReportJson, AcceptsTheNumbersThatProgramsWrite) {
  const Report report = parse_report_json(R"({"step":+2,"metrics":{"a":NaN,"b":-Infinity,"c":"1e400","d":"12abc","e":.5}})");
  EXPECT_EQ(report.step, 2.0);
  EXPECT_TRUE(std::isnan(report.metrics.at("a").number));
  EXPECT_TRUE(report.metrics.at("a").is_number);
  EXPECT_EQ(report.metrics.at("b").number, -INFINITY);
  EXPECT_EQ(report.metrics.at("c").text, "1e400");
  EXPECT_FALSE(report.metrics.at("d").is_number);
  EXPECT_EQ(report.metrics.at("e").number, 0.5);
}

TEST(ReportJson, EscapesInNames) {
  const Report report = parse_report_json(R"({"metrics":{"a\"b\\\u00e9\ud83d\ude00\n":1}})");
  EXPECT_EQ(report.metrics.begin()->first, "a\"b\\é😀\n");
}

TEST(ReportJson, RefusesWhatIsNoReport) {
  for (const char* text :
       {"", "{", "[]", "3", "{}", R"({"metrics":{}})", R"({"step":1})", R"({"metrics":{"a":1},"stpe":2})",
        R"({"metrics":{"a":1,"a":2}})", R"({"metrics":{"a":1},"metrics":{"b":1}})", R"({"metrics":{"a":1}} x)",
        R"({"metrics":{"a":[1]}})", R"({"metrics":{"":1}})", R"({"metrics":{"a":1},"checkpoint":"../x"})",
        R"({"metrics":{"a":1},"checkpoint":"/x"})", R"({"metrics":{"a":1},"checkpoint":"a/../b"})",
        R"({"metrics":{"a":1},})", R"({"metrics":{"a"1}})", R"({"metrics":{"\ud800":1}})", "{\"metrics\":{\"\xff\":1}}"})
    EXPECT_THROW(parse_report_json(text), std::invalid_argument) << text;
}

TEST(ReportJson, AStepThatCannotBeIsAFaultOfItsOwn) {
  for (const char* step : {"-1", "NaN", "Infinity", "1e300", "\"3\"", "true", "0x10"})
    EXPECT_THROW(parse_report_json("{\"step\":" + std::string(step) + R"(,"metrics":{"a":1}})"), BadStep) << step;
  EXPECT_EQ(parse_report_json(R"({"step":-0,"metrics":{"a":1}})").step, 0.0);
}

TEST(ReportJson, ReadsWhatItWrites) {
  const Report report{2.5, {{"a b", MetricValue(0.1)}, {"q\"", MetricValue::parse("nan")}, {"t", MetricValue::parse("0,5")}}, "d/e"};
  EXPECT_EQ(parse_report_json(report_text(report)), report);
  EXPECT_EQ(report_text({{}, {{"x", MetricValue(27)}}, ""}), R"({"metrics":{"x":27}})");
}

TEST(ReportJson, ANonFiniteNumberIsWrittenAsText) {
  EXPECT_EQ(parse_report_json(report_text({1.0, {{"x", MetricValue(-INFINITY)}}, ""})).metrics.at("x").number, -INFINITY);
}

TEST(ReportWords, ReadsNamesAndValues) {
  EXPECT_EQ(parse_report_words("step=3 val_accuracy=0.91  checkpoint=e3"),
            (Report{3.0, {{"val_accuracy", MetricValue(0.91)}}, "e3"}));
  EXPECT_EQ(parse_report_words("loss=").metrics.at("loss"), MetricValue::parse(""));
  EXPECT_EQ(parse_report_words("loss=a=b").metrics.at("loss").text, "a=b");
}

TEST(ReportWords, QuotesKeepBlanks) {
  const Report report = parse_report_words(R"("acc top 1"=0.5 note="a \"b\" c" "x=y"=1)");
  EXPECT_EQ(report.metrics.at("acc top 1").number, 0.5);
  EXPECT_EQ(report.metrics.at("note").text, "a \"b\" c");
  EXPECT_EQ(report.metrics.at("x=y").number, 1);
}

TEST(ReportWords, RefusesOthers) {
  for (const char* text : {"", "step=1", "loading data", "loss=1 loss=2", "=1", "a=\"1", "loss=1 checkpoint=../x", "a=\xff"})
    EXPECT_THROW(parse_report_words(text), std::invalid_argument) << text;
  EXPECT_THROW(parse_report_words("step=-1 a=1"), BadStep);
  EXPECT_THROW(parse_report_words("step= a=1"), BadStep);
}

TEST(ReportLine, OnlyAMarkedLineIsAReport) {
  EXPECT_EQ(parse_report_line("epoch 3 loss=1"), std::nullopt);
  EXPECT_EQ(parse_report_line(" hpsearch: loss=1"), std::nullopt);
  EXPECT_EQ(parse_report_line("hpsearch:loss=1\r")->metrics.at("loss").number, 1);
  EXPECT_EQ(parse_report_line("hpsearch: {\"step\":2,\"metrics\":{\"loss\":1}}")->step, 2.0);
  EXPECT_THROW(parse_report_line("hpsearch: hello"), std::invalid_argument);
}

}  // namespace
}  // namespace hpsearch
