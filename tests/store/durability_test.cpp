#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "store/sqlite_store.h"
#include "tests/store/sample_log.h"
#include "tests/store/temporary_folder.h"

namespace hpsearch {
namespace {

// Appends until it is killed; tells each seq once it is durable.
[[noreturn]] void append_for_ever(const std::filesystem::path& file, int acknowledge) {
  auto store = SqliteStore::open(file);
  Seq last = read_all(*store).size();
  for (int size = 1;; size = size % 50 + 1) {
    store->append(report_batch(last + 1, size));
    last += static_cast<Seq>(size);
    if (write(acknowledge, &last, sizeof last) != sizeof last) _exit(1);
  }
}

Seq last_acknowledged(int pipe_end, Seq last) {
  Seq seq = 0;
  while (read(pipe_end, &seq, sizeof seq) == sizeof seq) last = seq;
  return last;
}

// Starts a writer, kills it after `delay` and answers the last seq that it acknowledged (at least `before`).
Seq killed_writer(const std::filesystem::path& file, std::chrono::microseconds delay, Seq before) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    append_for_ever(file, ends[1]);
  }
  close(ends[1]);
  usleep(static_cast<useconds_t>(delay.count()));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const Seq last = last_acknowledged(ends[0], before);
  close(ends[0]);
  return last;
}

TEST(Durability, WhatWasAcknowledgedSurvivesKillAtAnyMoment) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "study.db";
  SqliteStore::create(file);
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> delay(0, 60'000);
  Seq acknowledged = 0;
  for (int round = 0; round < 30; ++round) {
    acknowledged = killed_writer(file, std::chrono::microseconds(delay(random)), acknowledged);
    const std::vector<Event> events = read_all(*SqliteStore::open_read_only(file));
    ASSERT_GE(events.size(), acknowledged) << "seed " << seed << " round " << round;
    acknowledged = events.size();
    ASSERT_EQ(Database(file, Database::Mode::read_write).text("PRAGMA integrity_check"), "ok") << "seed " << seed;
  }
  EXPECT_GT(acknowledged, 0u);
}

}  // namespace
}  // namespace hpsearch
