#include "scheduler/hosts/incoming_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

#include "tree_lab.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

class IncomingFileTest : public ::testing::Test {
 protected:
  IncomingFile incoming(const std::string& announced) const {
    return {place_, draft_, hash_of(announced), static_cast<std::int64_t>(announced.size())};
  }
  void expect_nothing() const { EXPECT_EQ(entries_below(home_.path()), 0); }

  TemporaryFolder home_;
  std::filesystem::path place_ = home_.path() / "place", draft_ = home_.path() / "draft";
};

TEST_F(IncomingFileTest, IsInItsPlaceOnceFinished) {
  {
    IncomingFile file = incoming("abc");
    file.append("a");
    file.append("");
    file.append("bc");
    EXPECT_FALSE(std::filesystem::exists(place_));
    file.finish();
    EXPECT_EQ(text_of(place_), "abc");
  }
  EXPECT_EQ(text_of(place_), "abc");
  EXPECT_EQ(entries_below(home_.path()), 1);
  EXPECT_EQ(std::filesystem::status(place_).permissions() & std::filesystem::perms(0333), std::filesystem::perms::none);
}

TEST_F(IncomingFileTest, MayBeEmpty) {
  incoming("").finish();
  EXPECT_EQ(text_of(place_), "");
}

TEST_F(IncomingFileTest, TakesTheWholeStateWhenMoved) {
  IncomingFile first = incoming("abc");
  first.append("ab");
  IncomingFile second = std::move(first);
  second.append("c");
  second.finish();
  EXPECT_EQ(text_of(place_), "abc");
}

TEST_F(IncomingFileTest, AnInterruptedOneLeavesNothing) {
  incoming("abc").append("ab");
  expect_nothing();
}

TEST_F(IncomingFileTest, OtherBytesAreRefused) {
  {
    IncomingFile file = incoming("abc");
    file.append("abd");
    EXPECT_THROW(file.finish(), std::invalid_argument);
  }
  expect_nothing();
}

TEST_F(IncomingFileTest, FewerOrMoreBytesAreRefused) {
  {
    IncomingFile file = incoming("abc");
    file.append("ab");
    EXPECT_THROW(file.finish(), std::invalid_argument);
    EXPECT_THROW(file.append("cd"), std::invalid_argument);
  }
  expect_nothing();
}

TEST_F(IncomingFileTest, ReplacesADamagedOne) {
  put(place_, "a");
  IncomingFile file = incoming("abc");
  file.append("abc");
  file.finish();
  EXPECT_EQ(text_of(place_), "abc");
}

TEST_F(IncomingFileTest, ANameInUseOrAFolderThatIsGoneThrows) {
  put(draft_, "of another");
  EXPECT_THROW(incoming("abc"), std::system_error);
  EXPECT_EQ(text_of(draft_), "of another");
  EXPECT_THROW(IncomingFile(place_, home_.path() / "no/draft", hash_of(""), 0), std::system_error);
}

// A killed process can't clean up after itself: only the draft is left.
TEST_F(IncomingFileTest, AKilledProcessLeavesNothingInItsPlace) {
  const pid_t child = ::fork();
  if (child == 0) {
    IncomingFile file = incoming("abc");
    file.append("ab");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(std::filesystem::exists(place_));
  EXPECT_TRUE(std::filesystem::exists(draft_));
}

}  // namespace
}  // namespace hpsearch::testing
