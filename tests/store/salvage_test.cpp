#include "store/salvage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "store/errors.h"
#include "store/leaf_scan.h"
#include "store/rescue.h"
#include "store/sqlite_store.h"
#include "store/study_summary.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"

namespace hpsearch {
namespace {

// The log without the events at these seqs.
std::vector<Event> without(std::vector<Event> log, const std::vector<Seq>& lost) {
  std::erase_if(log, [&](const Event& event) { return std::count(lost.begin(), lost.end(), event.seq) > 0; });
  return log;
}

TEST(Salvage, WholeLogStaysAsItIs) {
  const std::vector<Event> log = study_log(5, 2);
  const Salvaged salvaged = salvage(log);
  EXPECT_EQ(descriptions(salvaged.events), descriptions(log));
  EXPECT_EQ(salvaged.dropped, 0);
  EXPECT_EQ(salvaged.lost_trials, 0);
}

// In study_log(n, 1) trial t has seqs 3 + 6 * (t - 1) to 8 + 6 * (t - 1): suggested, planned, started, reported,
// ended, settled.
TEST(Salvage, TrialWithoutItsSuggestionKeepsItsNumberAndHoldsNothing) {
  const Salvaged salvaged = salvage(without(study_log(3, 1), {9}));
  ASSERT_EQ(salvaged.study.trials().size(), 3u);
  EXPECT_EQ(salvaged.study.trial(2).state, TrialState::cancelled);
  EXPECT_FALSE(salvaged.study.trial(2).value);
  EXPECT_EQ(salvaged.study.trial(3).state, TrialState::completed);
  EXPECT_EQ(*salvaged.study.trial(3).value, MetricValue(4.0));
  EXPECT_EQ(salvaged.lost_trials, 1);
  EXPECT_EQ(salvaged.dropped, 5);
}

TEST(Salvage, TrialIsCutWhereItsEventsStopToJoinUp) {
  const Salvaged salvaged = salvage(without(study_log(3, 1), {10}));
  EXPECT_EQ(salvaged.study.trial(2).state, TrialState::cancelled);
  EXPECT_EQ(salvaged.study.trial(1).state, TrialState::completed);
  EXPECT_TRUE(salvaged.study.live().empty());
}

TEST(Salvage, TrialWhoseEndIsLostIsCancelled) {
  const std::vector<Event> log = study_log(3, 1);
  const Salvaged salvaged = salvage({log.begin(), log.begin() + 18});
  EXPECT_EQ(salvaged.study.trial(2).state, TrialState::completed);
  EXPECT_EQ(salvaged.study.trial(3).state, TrialState::cancelled);
  EXPECT_TRUE(salvaged.study.live().empty());
  EXPECT_EQ(salvaged.lost_trials, 1);
}

TEST(Salvage, WithoutTheFirstEventThereIsNothingToBuildOn) {
  EXPECT_THROW(salvage(without(study_log(3, 1), {1})), std::invalid_argument);
  EXPECT_THROW(salvage({}), std::invalid_argument);
}

TEST(Salvage, AnyLossGivesALogThatFolds) {
  const std::vector<Event> log = study_log(20, 2);
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<Event> rest;
    for (const Event& event : log)
      if (event.seq == 1 || random() % 4 != 0) rest.push_back(event);
    const Salvaged salvaged = salvage(rest);
    const Study again = folded(salvaged.events);
    ASSERT_EQ(again.trials().size(), salvaged.study.trials().size()) << "seed " << seed;
    for (const Trial& trial : again.trials()) ASSERT_EQ(trial.suggestion.unit.size(), 1u) << "seed " << seed;
  }
}

class RescueTest : public testing::Test {
 protected:
  void SetUp() override {
    auto store = SqliteStore::create(damaged_);
    store->append(log_);
  }
  void overwrite(std::size_t page, char byte) {
    std::fstream file(damaged_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(page * 4096));
    file << std::string(4096, byte);
  }

  TemporaryFolder folder_;
  std::filesystem::path damaged_ = folder_ / "study.db", saved_ = folder_ / "saved.db";
  std::vector<Event> log_ = study_log(300, 3);
};

TEST_F(RescueTest, WholeStudyIsCopiedWhole) {
  const RescueReport report = rescue(damaged_, saved_);
  EXPECT_EQ(descriptions(read_all(*SqliteStore::open(saved_))), descriptions(log_));
  EXPECT_EQ(report.trials, 300);
  EXPECT_EQ(report.reports, 900);
  EXPECT_EQ(report.missing + report.unreadable + report.dropped + report.lost_trials, 0);
}

TEST_F(RescueTest, AnyOverwrittenPageCostsAtMostWhatLayInIt) {
  const std::size_t pages = std::filesystem::file_size(damaged_) / 4096;
  int rescued = 0;
  for (std::size_t page = 0; page < pages; page += 3) {
    std::filesystem::copy_file(damaged_, folder_ / "whole.db", std::filesystem::copy_options::overwrite_existing);
    overwrite(page, '\xa5');
    try {
      const RescueReport report = rescue(damaged_, saved_);
      EXPECT_EQ(report.trials - report.lost_trials, read_summary(saved_).count(TrialState::completed));
      EXPECT_GT(report.trials, 250);
      ++rescued;
    } catch (const DamagedStudy&) {
      // The page of the first event.
    }
    std::filesystem::remove(saved_);
    std::filesystem::rename(folder_ / "whole.db", damaged_);
  }
  EXPECT_GE(rescued, static_cast<int>(pages / 3) - 1);
}

TEST_F(RescueTest, TruncatedStudyGivesWhatIsLeft) {
  std::filesystem::resize_file(damaged_, std::filesystem::file_size(damaged_) / 2);
  const RescueReport report = rescue(damaged_, saved_);
  EXPECT_GT(report.trials, 50);
  EXPECT_LT(report.trials, 300);
  EXPECT_GT(read_all(*SqliteStore::open(saved_)).size(), 500u);
}

TEST_F(RescueTest, NothingReadableIsSaid) {
  std::ofstream(damaged_) << std::string(50'000, 'x');
  EXPECT_THROW(rescue(damaged_, saved_), DamagedStudy);
  EXPECT_FALSE(std::filesystem::exists(saved_));
}

TEST(LeafScan, LongValuesAreFollowedThroughTheirPages) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "study.db";
  const std::string text(100'000, 'y');
  {
    Database database(file, Database::Mode::create);
    database.execute("CREATE TABLE t (a, b, c)");
    Statement(database, "INSERT INTO t VALUES (?, ?, ?)").bind(text, -1.5, std::int64_t{-300}).run();
  }
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<LeafRow> rows;
  EXPECT_EQ(scan_leaves(bytes, [&](LeafRow&& row) { rows.push_back(std::move(row)); }), 0);
  const auto row = std::find_if(rows.begin(), rows.end(), [](const LeafRow& r) { return r.cells.size() == 3; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->cells, (std::vector<Cell>{text, -1.5, std::int64_t{-300}}));
}

TEST(LeafScan, AnyBytesAreSurvived) {
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(4096 * 4, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    for (std::size_t page = 0; page < 4; ++page) bytes[page * 4096] = 0x0d;
    bytes[100] = 0x0d;
    SCOPED_TRACE(seed);
    scan_leaves(bytes, [](LeafRow&&) {});
  }
}

}  // namespace
}  // namespace hpsearch
