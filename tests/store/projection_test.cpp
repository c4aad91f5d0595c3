#include "store/projection.h"

#include <gtest/gtest.h>

#include "store/sqlite_store.h"
#include "store/study_summary.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"

namespace hpsearch {
namespace {

class ProjectionTest : public testing::Test {
 protected:
  // Applies and appends one event after the other, as the runner does.
  void run(const std::vector<Event>& log, std::size_t from = 0) {
    store_->attach(study_);
    for (std::size_t i = from; i < log.size(); ++i) {
      study_.apply(log[i]);
      store_->append({log[i]});
    }
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "study.db";
  std::unique_ptr<SqliteStore> store_ = SqliteStore::create(file_);
  Study study_;
};

TEST_F(ProjectionTest, StatusIsWhatTheFoldSays) {
  const std::vector<Event> log = study_log(20, 3);
  run(log);
  const StudySummary summary = read_summary(file_);
  EXPECT_EQ(summary.name, "sample");
  EXPECT_EQ(summary.seq, log.back().seq);
  EXPECT_EQ(summary.last_at, log.back().at);
  EXPECT_EQ(summary.count(TrialState::completed), 20);
  EXPECT_EQ(summary.trials(), 20);
  EXPECT_EQ(summary.best->number, *study_.best());
  EXPECT_EQ(summary.running_time, study_.running_time(log.back().at));
  EXPECT_EQ(summary.slots, 1);
  EXPECT_EQ(summary.slots_busy, 0);
  EXPECT_FALSE(summary.in_session);
  EXPECT_EQ(summary.ended->reason, "finished");
  EXPECT_EQ(summary.document, study_.spec().document);
  EXPECT_TRUE(summary.holder);
}

TEST_F(ProjectionTest, TrialRowHoldsWhatListsShow) {
  run(study_log(3, 2));
  const TrialRow row = read_trials(file_)[1];
  EXPECT_EQ(row.number, 2);
  EXPECT_EQ(row.state, TrialState::completed);
  EXPECT_EQ(*row.value, MetricValue(2.5));
  EXPECT_EQ(row.resource, 2);
  EXPECT_EQ(row.reports, 2);
  EXPECT_EQ(row.attempts, 1);
  EXPECT_EQ(row.params, study_.trial(2).suggestion.params);
  EXPECT_EQ(row.method, "random");
  EXPECT_EQ(row.slot->host, "local");
  EXPECT_EQ(row.program, "print");
  EXPECT_EQ(*row.created, study_.trial(2).created_at);
  EXPECT_EQ(*row.ended, study_.trial(2).settled_at);
}

TEST_F(ProjectionTest, StateFollowsWithEveryBatch) {
  const std::vector<Event> log = study_log(1, 1);
  const std::vector<std::pair<std::size_t, TrialState>> states = {
      {3, TrialState::queued}, {4, TrialState::starting}, {5, TrialState::running}, {8, TrialState::completed}};
  std::size_t done = 0;
  for (const auto& [seq, state] : states) {
    run({log.begin(), log.begin() + static_cast<std::ptrdiff_t>(seq)}, done);
    done = seq;
    EXPECT_EQ(read_trials(file_).front().state, state);
    EXPECT_EQ(read_summary(file_).count(state), 1);
  }
}

TEST_F(ProjectionTest, LastTrialsComeInOrderOfNumber) {
  run(study_log(30, 0));
  const std::vector<TrialRow> rows = read_trials(file_, 5);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows.front().number, 26);
  EXPECT_EQ(rows.back().number, 30);
}

TEST_F(ProjectionTest, CatchesUpWithALogWrittenWithoutIt) {
  const std::vector<Event> log = study_log(10, 1);
  std::vector<Event> head(log.begin(), log.end() - 1);
  for (const Event& event : head) study_.apply(event);
  store_->append(head);
  run(log, head.size());
  EXPECT_EQ(read_trials(file_).size(), 10u);
  EXPECT_EQ(read_summary(file_).count(TrialState::completed), 10);
}

TEST_F(ProjectionTest, EmptyStudyHasAnEmptyStatus) {
  const StudySummary summary = read_summary(file_);
  EXPECT_EQ(summary.trials(), 0);
  EXPECT_FALSE(summary.best);
  EXPECT_TRUE(read_trials(file_).empty());
}

TEST_F(ProjectionTest, ViewsForOtherToolsWork) {
  run(study_log(3, 2));
  Database database(file_, Database::Mode::read_only);
  EXPECT_EQ(database.integer("SELECT count(*) FROM trials_view WHERE state = 'completed' AND seconds >= 0"), 3);
  EXPECT_EQ(database.integer("SELECT count(*) FROM reports_view WHERE value > 1"), 6);
  EXPECT_EQ(database.text("SELECT name || ' ' || type FROM params WHERE trial = 2"), "x real");
}

}  // namespace
}  // namespace hpsearch
