// PA-4 of the acceptance cases: many schedulers and readers at one study.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>

#include "store/sqlite_store.h"
#include "store/study_summary.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

// Runs `work` in a process of its own; its answer is the exit status.
pid_t start(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  return child;
}

int finish(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum Outcome { kWon, kToldWhoHoldsIt, kOtherFailure };

// One of many schedulers that come in the same moment; the winner works for a while.
int scheduler(const std::filesystem::path& file) try {
  auto store = SqliteStore::create(file);
  for (Seq seq = 1; seq <= 1000; seq += 10) {
    store->append(report_batch(seq, 10));
    usleep(15'000);
  }
  return kWon;
} catch (const UserError& error) {
  return std::strstr(error.what(), "held by pid ") ? kToldWhoHoldsIt : kOtherFailure;
} catch (const std::exception& error) {
  fprintf(stderr, "%s\n", error.what());
  return kOtherFailure;
}

// Lists over and over; each time the log must be whole batches.
int reader(const std::filesystem::path& file, int rounds) try {
  for (int i = 0; i < rounds; ++i) {
    if (!std::filesystem::exists(file)) continue;
    read_summary(file);
    if (read_all(*SqliteStore::open_read_only(file)).size() % 10 != 0) return 1;
  }
  return 0;
} catch (const std::exception& error) {
  fprintf(stderr, "%s\n", error.what());
  return 2;
}

TEST(PA4, OneOfManySchedulersWinsTheOthersKnowAtOnceAndReadersAreUndisturbed) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "not-yet/study.db";
  std::vector<pid_t> schedulers;
  for (int i = 0; i < 32; ++i) schedulers.push_back(start([&] { return scheduler(file); }));
  const pid_t lister = start([&] { return reader(file, 200); });
  const auto begin = std::chrono::steady_clock::now();
  int outcomes[3] = {};
  for (const pid_t child : schedulers) {
    const int outcome = finish(child);
    ASSERT_TRUE(outcome >= 0 && outcome < 3);
    ++outcomes[outcome];
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(outcomes[kWon], 1);
  EXPECT_EQ(outcomes[kToldWhoHoldsIt], 31);
  EXPECT_EQ(finish(lister), 0);
  EXPECT_EQ(read_all(*SqliteStore::open(file)).size(), 1000u);
}

TEST(PA4, DeadHolderDoesNotBlockTheNextOne) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "study.db";
  const pid_t holder = start([&] {
    auto store = SqliteStore::create(file);
    store->append(report_batch(1, 10));
    kill(getpid(), SIGKILL);
    return 0;
  });
  finish(holder);
  EXPECT_FALSE(study_holder(file));
  SqliteStore::open(file)->append(report_batch(11, 1));
}

TEST(PA4, ChildrenOfTheHolderDoNotKeepTheStudy) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "study.db";
  auto store = SqliteStore::create(file);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execlp("sh", "sh", "-c", "echo; exec sleep 60", nullptr);
    _exit(1);
  }
  char ready;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  store.reset();
  EXPECT_NO_THROW(SqliteStore::open(file));
  kill(child, SIGKILL);
  finish(child);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace hpsearch
