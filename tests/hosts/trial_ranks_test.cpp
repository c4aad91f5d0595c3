#include "scheduler/hosts/trial_ranks.h"

#include <gtest/gtest.h>

#include <csignal>

namespace hpsearch {
namespace {

constexpr int kExit3 = 3 << 8, kOk = 0;

TEST(TrialRanks, AProgramAloneIsRank0) {
  TrialRanks ranks;
  EXPECT_TRUE(ranks.empty());
  EXPECT_FALSE(ranks.over());
  EXPECT_EQ(ranks.pid(), 0);
  EXPECT_EQ(ranks.status(0), 0);
  ranks.started(11);
  EXPECT_EQ(ranks.pid(), 11);
  ranks.ended(12, SIGKILL);
  EXPECT_FALSE(ranks.over()) << "a process that it left behind";
  ranks.ended(11, kExit3);
  EXPECT_TRUE(ranks.over());
  EXPECT_EQ(ranks.telling(), 0);
  EXPECT_EQ(ranks.status(0), kExit3);
}

TEST(TrialRanks, AreOverWhenAllHaveEnded) {
  TrialRanks ranks;
  for (pid_t pid : {11, 12, 13}) ranks.started(pid);
  ranks.ended(12, kOk);
  ranks.ended(11, kOk);
  EXPECT_FALSE(ranks.over());
  ranks.ended(13, kOk);
  EXPECT_TRUE(ranks.over());
  EXPECT_FALSE(ranks.failed());
  EXPECT_EQ(ranks.telling(), 0);
}

TEST(TrialRanks, TheFirstThatFailedTells) {
  TrialRanks ranks;
  for (pid_t pid : {11, 12, 13}) ranks.started(pid);
  ranks.ended(11, kOk);
  EXPECT_FALSE(ranks.failed());
  ranks.ended(13, kExit3);
  ranks.ended(12, SIGTERM);
  EXPECT_EQ(ranks.telling(), 2);
  EXPECT_EQ(ranks.status(ranks.telling()), kExit3);
}

}  // namespace
}  // namespace hpsearch
