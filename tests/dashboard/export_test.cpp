#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "dashboard/export_reports.h"
#include "dashboard/export_trials.h"
#include "dashboard/value_text.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;

// A plain RFC 4180 reader.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') field += text[++i];
    else if (c == '"') quoted = !quoted;
    else if (!quoted && (c == ',' || c == '\n')) {
      row.push_back(std::exchange(field, ""));
      if (c == '\n') rows.push_back(std::exchange(row, {}));
    } else field += c;
  }
  return rows;
}

class Table {
 public:
  explicit Table(const std::string& csv) : rows_(read_csv(csv)) {}
  std::size_t size() const { return rows_.size() - 1; }
  std::string at(std::size_t row, const std::string& column) const {
    const auto found = std::find(rows_[0].begin(), rows_[0].end(), column);
    return found == rows_[0].end() ? "no such column" : rows_[row][static_cast<std::size_t>(found - rows_[0].begin())];
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

TEST(ExportCsv, HasARowForEachTrialOfEveryState) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "a,b"}, {"z", 1}}, 0.5);
  made.failed({{"k", "ok"}, {"m", 1e-17}, {"z", 2}}, 7, "why");
  made.launch({{"k", "ok"}, {"m", 0.5}, {"z", 3}});
  made.suggest({{"k", "é"}, {"z", 4}});
  const Table table(export_csv(made.study()));
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table.at(1, "state"), "completed");
  EXPECT_EQ(table.at(2, "state"), "failed");
  EXPECT_EQ(table.at(2, "reason"), "exit 7");
  EXPECT_EQ(table.at(2, "detail"), "why");
  EXPECT_EQ(table.at(3, "state"), "running");
  EXPECT_EQ(table.at(3, "host"), "local");
  EXPECT_EQ(table.at(4, "state"), "queued");
  EXPECT_EQ(table.at(4, "host"), "");
  EXPECT_EQ(table.at(4, "number"), "4");
}

TEST(ExportCsv, GivesOddValuesBackAsTheyWere) {
  HandMadeStudy made(kOddSpace);
  const std::vector<std::string> choices{"a,b", "q\"q", "l1\nl2", "=1+1", "é", "ok"};
  for (const std::string& choice : choices) made.finished({{"k", choice}, {"z", std::int64_t{9223372036854775807}}}, 0.30000000000000004);
  const Table table(export_csv(made.study()));
  for (std::size_t i = 0; i < choices.size(); ++i) {
    EXPECT_EQ(table.at(i + 1, "params.k"), choices[i]);
    EXPECT_EQ(table.at(i + 1, "params.z"), "9223372036854775807");
    EXPECT_EQ(table.at(i + 1, "params.m"), "");
    EXPECT_EQ(table.at(i + 1, "value"), "0.30000000000000004");
  }
}

TEST(ExportCsv, TellsLastBestAndTheValueUsed) {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch({{"k", "é"}, {"z", 1}});
  made.report(trial, 1, 0.9);
  made.report(trial, 2, 0.7);
  made.end(trial, TrialState::stopped);
  const Table table(export_csv(made.study()));
  EXPECT_EQ(table.at(1, "last"), "0.7");
  EXPECT_EQ(table.at(1, "best"), "0.9");
  EXPECT_EQ(table.at(1, "value"), "0.7");
}

TEST(ExportCsv, OfAStudyWithoutTrialsIsTheHeader) {
  const HandMadeStudy made(kOddSpace);
  const std::string text = export_csv(made.study());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.rfind("number,state,reason,", 0), 0u);
}

TEST(ExportJson, IsStrictWithTheSameKeysInEveryState) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "a,b"}, {"z", 1}}, MetricValue::parse("nan"), TrialState::failed);
  made.suggest({{"k", "ok"}, {"m", 0.25}, {"z", 2}});
  const Json json = Json::parse(json_text(export_json(made.study())));
  const auto keys = [](const Json& row) {
    std::vector<std::string> names;
    for (auto it = row.begin(); it != row.end(); ++it) names.push_back(it.key());
    return names;
  };
  EXPECT_EQ(keys(json["trials"][0]), keys(json["trials"][1]));
  EXPECT_EQ(json["trials"][0]["value"], "nan");
  EXPECT_EQ(json["trials"][1]["params"]["m"], 0.25);
  EXPECT_FALSE(json["trials"][0]["params"].contains("m"));
}

std::string exported_reports(const HandMadeStudy& made, ExportFormat format) {
  MetricNames names;
  for (const Event& event : made.events()) names.apply(event);
  ReportExport table(format, made.study().name(), names.ordered(made.study().spec()));
  std::string text = table.head();
  for (const Event& event : made.events())
    if (const Reported* report = event_as<Reported>(event)) text += table.row({*report, true});
  return text + table.tail();
}

HandMadeStudy with_reports() {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch({{"k", "ok"}, {"m", 0.5}, {"z", 1}});
  made.report(trial, 1, 1e-17, R"({"extra": 0.1})");
  made.report(trial, 2, 0.30000000000000004);
  made.report(trial, std::nullopt, std::nullopt, R"({"test_acc": 0.5, "ms": "inf"})");
  return made;
}

TEST(ExportReports, HasARowForEachWithMetricsOnlyWhereSent) {
  const Table table(exported_reports(with_reports(), ExportFormat::csv));
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(table.at(1, "step"), "1");
  EXPECT_EQ(table.at(1, "metrics.acc"), "1e-17");
  EXPECT_EQ(table.at(1, "metrics.extra"), "0.1");
  EXPECT_EQ(table.at(2, "metrics.acc"), "0.30000000000000004");
  EXPECT_EQ(table.at(2, "metrics.extra"), "");
  EXPECT_EQ(table.at(3, "step"), "");
  EXPECT_EQ(table.at(3, "metrics.ms"), "inf");
}

TEST(ExportReports, OrdersColumnsByMetricThenName) {
  const std::string text = exported_reports(with_reports(), ExportFormat::csv);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "trial,attempt,step,at,counts,checkpoint,metrics.acc,metrics.extra,metrics.ms,metrics.test_acc");
}

TEST(ExportReports, IsOneStrictJsonDocument) {
  const Json json = Json::parse(exported_reports(with_reports(), ExportFormat::json));
  ASSERT_EQ(json["reports"].size(), 3u);
  EXPECT_EQ(json["reports"][1]["metrics"]["acc"], 0.30000000000000004);
  EXPECT_TRUE(json["reports"][2]["step"].is_null());
  EXPECT_EQ(Json::parse(exported_reports(HandMadeStudy(kOddSpace), ExportFormat::json))["reports"].size(), 0u);
}

}  // namespace
}  // namespace hpsearch
