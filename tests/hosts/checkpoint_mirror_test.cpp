#include "scheduler/hosts/checkpoint_mirror.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <vector>

#include "scheduler/hosts/local_desk.h"
#include "scheduler/hosts/text_file.h"
#include "tree_lab.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

// A host and this machine in two folders.
class CheckpointMirrorTest : public ::testing::Test {
 protected:
  void want(int trial, bool last = false) {
    const std::string folder = std::to_string(trial);
    put(home_.path() / "there" / folder / "e1");
    mirror_.want({{trial, 1}, "e1", folder, folder, 1, last});
  }
  void run_until(std::size_t copies) {
    std::filesystem::create_directories(home_.path() / "here");
    while (saved_.size() < copies && io_.run_one_for(std::chrono::seconds(10)) > 0) {
    }
  }

  TemporaryFolder home_;
  boost::asio::io_context io_;
  LocalDesk host_{io_, home_.path() / "there"}, here_{io_, home_.path() / "here"};
  std::vector<int> saved_;             // Trials, in the order of the copies.
  std::set<int> restless_;             // Save anew as soon as they have been copied.
  CheckpointMirror mirror_{io_, host_, here_, [this](const CheckpointMirror::Wanted& wanted) {
    saved_.push_back(wanted.name.trial);
    if (restless_.contains(wanted.name.trial)) want(wanted.name.trial);
  }};
};

TEST_F(CheckpointMirrorTest, TrialsThatSaveAllTheTimeLeaveTheOthersTheirTurn) {
  restless_ = {1, 2};
  for (int trial : {1, 2, 3}) want(trial);
  run_until(6);
  EXPECT_EQ(saved_, (std::vector<int>{1, 2, 3, 1, 2, 1}));
}

TEST_F(CheckpointMirrorTest, WhatAnAttemptLeftAtItsEndComesFirst) {
  for (int trial : {1, 2}) want(trial);
  want(3, true);
  run_until(3);
  EXPECT_EQ(saved_, (std::vector<int>{3, 1, 2}));
  EXPECT_TRUE(std::filesystem::exists(home_.path() / "here/3/e1"));
}

// The log counts on the older one until it has the newer one: a scheduler may be killed between the two.
TEST_F(CheckpointMirrorTest, ACheckpointTakesThePlaceOfNoneOfAnotherName) {
  for (const char* name : {"a/e1", "a/e2", "a/e2"}) {
    std::filesystem::remove_all(home_.path() / "there/7/a");
    put(home_.path() / "there/7" / name / "weights", std::to_string(saved_.size()));
    mirror_.want({{7, 1}, name, "7", "7", 1, true});
    run_until(saved_.size() + 1);
  }
  EXPECT_EQ(read_file(home_.path() / "here/7/a/e1/weights"), "0");
  EXPECT_EQ(read_file(home_.path() / "here/7/a/e2/weights"), "2") << "the newest of its name";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(home_.path() / "here/7/a"), {}), 2) << "and nothing else";
}

}  // namespace
}  // namespace hpsearch::testing
