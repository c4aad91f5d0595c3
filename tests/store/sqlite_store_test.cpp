#include "store/sqlite_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <thread>

#include "store/errors.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

using testing::Test;

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

class SqliteStoreTest : public Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "study.db";
};

TEST_F(SqliteStoreTest, LogIsThereAfterReopening) {
  const std::vector<Event> events = every_kind_of_event();
  SqliteStore::create(file_)->append(events);
  EXPECT_EQ(descriptions(read_all(*SqliteStore::open(file_))), descriptions(events));
}

TEST_F(SqliteStoreTest, ReopenedStudyGoesOnWhereItEnded) {
  SqliteStore::create(file_)->append(report_batch(1, 3));
  auto store = SqliteStore::open(file_);
  EXPECT_THROW(store->append(report_batch(3, 1)), std::logic_error);
  store->append(report_batch(4, 2));
  EXPECT_EQ(read_all(*store).size(), 5u);
}

TEST_F(SqliteStoreTest, CreationMakesTheFolder) {
  SqliteStore::create(folder_ / "a/b c/Прогон/study.db");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a/b c/Прогон/study.db"));
}

TEST_F(SqliteStoreTest, CreationRefusesAnExistingStudy) {
  SqliteStore::create(file_)->append(report_batch(1, 1));
  EXPECT_THROW(SqliteStore::create(file_), UserError);
  EXPECT_EQ(read_all(*SqliteStore::open(file_)).size(), 1u);
}

TEST_F(SqliteStoreTest, CreationTakesOverAnEmptyStudy) {
  SqliteStore::create(file_);
  SqliteStore::create(file_)->append(report_batch(1, 1));
  EXPECT_EQ(read_all(*SqliteStore::open(file_)).size(), 1u);
}

TEST_F(SqliteStoreTest, HalfMadeStudyOfAKilledCreationIsNoObstacle) {
  std::ofstream(folder_ / "study.db.new") << "half";
  SqliteStore::create(file_)->append(report_batch(1, 1));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "study.db.new"));
}

TEST_F(SqliteStoreTest, OpeningWhatIsNotThereMakesNothing) {
  EXPECT_THROW(SqliteStore::open(file_), UserError);
  EXPECT_THROW(SqliteStore::open_read_only(file_), UserError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(SqliteStoreTest, SecondWriterLearnsWhoHoldsTheStudy) {
  auto first = SqliteStore::create(file_);
  for (auto open : {&SqliteStore::open, &SqliteStore::create}) {
    const std::string message = message_of([&] { open(file_, probe_file_system); });
    EXPECT_NE(message.find("held by pid " + std::to_string(getpid()) + " on host "), std::string::npos) << message;
    EXPECT_EQ(message.find("locked"), std::string::npos) << message;
  }
  EXPECT_EQ(study_holder(file_)->pid, getpid());
  first.reset();
  EXPECT_FALSE(study_holder(file_));
  SqliteStore::open(file_);
}

TEST_F(SqliteStoreTest, ReportTwiceIsRefusedWhole) {
  auto store = SqliteStore::create(file_);
  store->append(report_batch(1, 2));
  std::vector<Event> batch = report_batch(3, 2);
  std::get<Reported>(std::get<Fact>(batch[1].body)).attempt_seq = 1;
  EXPECT_THROW(store->append(batch), std::runtime_error);
  store->append(report_batch(3, 1));
  EXPECT_EQ(read_all(*store).size(), 3u);
}

TEST_F(SqliteStoreTest, AnyBytesOfATrialAreStored) {
  auto store = SqliteStore::create(file_);
  store->append({{1, Time{}, Fact(ReportRejected{1, 1, 1, "\xff\xfe not UTF-8"})}});
  EXPECT_EQ(read_all(*store).size(), 1u);
}

TEST_F(SqliteStoreTest, MinusZeroKeepsItsSign) {
  auto store = SqliteStore::create(file_);
  Reported report{1, 1, 1, 1.0, MetricValue(-0.0), "", "", Time{}};
  store->append({{1, Time{}, Fact(report)}});
  const Event read = read_all(*store).front();
  EXPECT_TRUE(std::signbit(std::get<Reported>(std::get<Fact>(read.body)).value->number));
}

TEST_F(SqliteStoreTest, CleanEndLeavesOneFile) {
  SqliteStore::create(file_)->append(report_batch(1, 100));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "study.db-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "study.db-shm"));
}

TEST_F(SqliteStoreTest, ReaderSeesOneMomentWhileTheWriterGoesOn) {
  auto writer = SqliteStore::create(file_);
  writer->append(report_batch(1, 10));
  auto reader = SqliteStore::open_read_only(file_);
  std::size_t seen = 0;
  reader->read([&](const Event&) {
    if (++seen == 1) writer->append(report_batch(11, 10));
  });
  EXPECT_EQ(seen, 10u);
  EXPECT_EQ(read_all(*reader).size(), 20u);
}

TEST_F(SqliteStoreTest, ReaderDoesNotHinderTheEndOfTheWriter) {
  auto writer = SqliteStore::create(file_);
  writer->append(report_batch(1, 10));
  auto reader = SqliteStore::open_read_only(file_);
  reader->read([&](const Event&) { writer.reset(); });
  EXPECT_EQ(read_all(*reader).size(), 10u);
  EXPECT_EQ(read_all(*SqliteStore::open(file_)).size(), 10u);
}

TEST_F(SqliteStoreTest, WriteLockOfAnotherClientOnlyDelays) {
  auto store = SqliteStore::create(file_);
  Database other(file_, Database::Mode::read_write);
  other.execute("BEGIN IMMEDIATE");
  std::thread client([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    other.execute("COMMIT");
  });
  store->append(report_batch(1, 5));
  client.join();
  EXPECT_EQ(read_all(*store).size(), 5u);
}

TEST_F(SqliteStoreTest, NetworkFileSystemMeansNoSharedMemoryAndAWarning) {
  const FileSystemProbe nfs = [](const std::filesystem::path&) { return FileSystem{"NFS", true}; };
  auto store = SqliteStore::create(file_, nfs);
  store->append(report_batch(1, 10));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "study.db-shm"));
  ASSERT_EQ(store->warnings().size(), 1u);
  EXPECT_NE(store->warnings().front().find("NFS"), std::string::npos);
  store.reset();
  EXPECT_EQ(read_all(*SqliteStore::open(file_, nfs)).size(), 10u);
}

TEST_F(SqliteStoreTest, FileSystemWithoutLocksIsRefused) {
  const FileSystemProbe lockless = [](const std::filesystem::path&) { return FileSystem{"Lustre", false}; };
  EXPECT_THROW(SqliteStore::create(file_, lockless), UserError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(SqliteStoreTest, LocalDiskGivesNoWarningAndHasLocks) {
  EXPECT_TRUE(SqliteStore::create(file_)->warnings().empty());
  EXPECT_TRUE(locks_work(folder_.path()));
}

}  // namespace
}  // namespace hpsearch
