// RS-4 of the acceptance cases: a damaged study file is noticed, named and left alone.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "store/errors.h"
#include "store/rescue.h"
#include "store/sqlite_store.h"
#include "store/study_summary.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

std::string bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

template <typename Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

class RS4 : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Event> log = study_log(200, 1);
    const Study study = folded(log);
    auto store = SqliteStore::create(file_);
    store->attach(study);
    store->append(log);
  }

  // Every way in says `words` and the file's name, and changes nothing in it.
  void expect_refused(const std::string& words) {
    const std::string before = bytes(file_);
    for (const std::string& message :
         {refusal([&] { SqliteStore::open(file_); }), refusal([&] { SqliteStore::create(file_); }),
          refusal([&] { read_all(*SqliteStore::open_read_only(file_)); }), refusal([&] { read_summary(file_); }),
          refusal([&] { read_trials(file_, 20); })}) {
      EXPECT_NE(message.find(words), std::string::npos) << message;
      EXPECT_NE(message.find(file_.string()), std::string::npos) << message;
    }
    EXPECT_TRUE(before == bytes(file_)) << "the file was changed";
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "study.db";
};

TEST_F(RS4, a_ZeroedPages) {
  std::string content = bytes(file_);
  content.replace(4096, 8192, 8192, '\0');
  write_bytes(file_, content);
  expect_refused("damaged");
  const RescueReport report = rescue(file_, folder_ / "saved/study.db");
  EXPECT_EQ(report.trials, 200);
  EXPECT_EQ(report.lost_trials, 0);
  EXPECT_EQ(read_trials(folder_ / "saved/study.db").size(), 200u);
  EXPECT_EQ(*read_trials(folder_ / "saved/study.db")[6].value, MetricValue(8.0));
}

TEST_F(RS4, a_AnyZeroedPage) {
  const std::string whole = bytes(file_);
  for (std::size_t page = 0; page < whole.size() / 4096; ++page) {
    write_bytes(file_, std::string(whole).replace(page * 4096, 4096, 4096, '\0'));
    SCOPED_TRACE("page " + std::to_string(page + 1));
    expect_refused(page == 0 ? "not a study" : "damaged");
  }
}

TEST_F(RS4, b_CutToHalf) {
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  expect_refused("damaged");
}

TEST_F(RS4, b_CutInsideAPage) {
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 1000);
  expect_refused("damaged");
}

TEST_F(RS4, c_EmptyFile) {
  std::filesystem::resize_file(file_, 0);
  expect_refused("not a study");
}

TEST_F(RS4, d_TextFile) {
  write_bytes(file_, "lr,loss\n0.1,0.5\n");
  expect_refused("not a study");
  write_bytes(file_, std::string(100'000, 'x'));
  expect_refused("not a study");
}

TEST_F(RS4, d_DatabaseOfAnotherProgram) {
  std::filesystem::remove(file_);
  Database(file_, Database::Mode::create).execute("CREATE TABLE notes (text)");
  expect_refused("not a study");
}

TEST_F(RS4, d_Folder) {
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_NE(refusal([&] { SqliteStore::open_read_only(file_); }).find("not a study"), std::string::npos);
}

// A scheduler that is killed after it saved `reports` more reports.
void die_after(const std::filesystem::path& file, Seq seq, int reports) {
  const pid_t child = fork();
  if (child == 0) {
    auto store = SqliteStore::open(file);
    store->append(report_batch(seq, reports));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST_F(RS4, e_JournalDeletedAfterAKill) {
  const Seq last = read_summary(file_).seq;
  die_after(file_, last + 1, 50);
  std::filesystem::remove(folder_ / "study.db-wal");
  std::filesystem::remove(folder_ / "study.db-shm");
  expect_refused("damaged");
  rescue(file_, folder_ / "saved/study.db");
  EXPECT_EQ(read_summary(folder_ / "saved/study.db").seq, last);
}

TEST_F(RS4, e_JournalFoldedByAnotherClientAfterAKill) {
  const Seq last = read_summary(file_).seq;
  die_after(file_, last + 1, 50);
  EXPECT_EQ(Database(file_, Database::Mode::read_write).text("PRAGMA integrity_check"), "ok");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "study.db-wal"));
  EXPECT_EQ(read_all(*SqliteStore::open(file_)).size(), last + 50);
}

TEST_F(RS4, e_KilledSchedulerLeavesAStudyThatReadsAndOpens) {
  const Seq last = read_summary(file_).seq;
  die_after(file_, last + 1, 50);
  EXPECT_EQ(read_all(*SqliteStore::open_read_only(file_)).size(), last + 50);
  EXPECT_EQ(read_all(*SqliteStore::open(file_)).size(), last + 50);
}

TEST_F(RS4, e_RescueReadsTheJournalToo) {
  const Seq last = read_summary(file_).seq;
  die_after(file_, last + 1, 50);
  const std::string before = bytes(file_), journal = bytes(folder_ / "study.db-wal");
  rescue(file_, folder_ / "saved/study.db");
  EXPECT_EQ(read_summary(folder_ / "saved/study.db").seq, last + 50);
  EXPECT_TRUE(before == bytes(file_) && journal == bytes(folder_ / "study.db-wal"));
}

TEST_F(RS4, f_NewerVersion) {
  Database(file_, Database::Mode::read_write).execute("PRAGMA user_version = 7");
  expect_refused("format 7");
  expect_refused("up to 1");
}

// Root may write everywhere: the reader gives its rights away first.
int as_nobody(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(3);
    try {
      _exit(check() ? 0 : 1);
    } catch (const std::exception& error) {
      fprintf(stderr, "%s\n", error.what());
      _exit(2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

class RS4ReadOnly : public RS4 {
 protected:
  void make_read_only() {
    using std::filesystem::perms;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::permissions(entry, perms::owner_read | perms::group_read | perms::others_read);
    std::filesystem::permissions(folder_.path(), perms::owner_read | perms::owner_exec | perms::group_read |
                                                     perms::group_exec | perms::others_read | perms::others_exec);
  }
};

TEST_F(RS4ReadOnly, g_ListingWorksAndRunningIsRefused) {
  make_read_only();
  EXPECT_EQ(as_nobody([&] { return read_trials(file_, 20).size() == 20; }), 0);
  EXPECT_EQ(as_nobody([&] { return read_all(*SqliteStore::open_read_only(file_)).size() > 200; }), 0);
  EXPECT_THROW(SqliteStore::open(file_), UserError);
  const auto told = [&] { return refusal([&] { SqliteStore::open(file_); }).find("read-only") != std::string::npos; };
  EXPECT_EQ(as_nobody(told), 0);
}

TEST_F(RS4ReadOnly, g_ListingWorksWhereAReaderKeptTheJournalMode) {
  {
    auto writer = SqliteStore::open(file_);
    auto reader = SqliteStore::open_read_only(file_);
    reader->read([&](const Event&) { writer.reset(); });
  }
  make_read_only();
  EXPECT_EQ(as_nobody([&] { return read_trials(file_, 20).size() == 20; }), 0);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_all);
  std::filesystem::remove(folder_ / "study.db-shm");
  make_read_only();
  EXPECT_EQ(as_nobody([&] { return read_trials(file_, 20).size() == 20; }), 0);
}

}  // namespace
}  // namespace hpsearch
