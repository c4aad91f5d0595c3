#include "scheduler/hosts/text_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <system_error>

#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

TEST(TextFile, ReplacesAFileAsAWhole) {
  TemporaryFolder home;
  const auto file = home.path() / "a";
  write_atomically(file, "long text", Durability::none);
  write_atomically(file, "new", Durability::synced);
  EXPECT_EQ(read_file(file), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(home.path()), {}), 1);
}

TEST(TextFile, AMissingFolderThrowsAndAMissingFileIsNone) {
  TemporaryFolder home;
  EXPECT_THROW(write_atomically(home.path() / "no" / "a", "x", Durability::none), std::system_error);
  EXPECT_FALSE(read_file(home.path() / "no" / "a"));
}

TEST(TextFile, ATailStartsAtALine) {
  TemporaryFolder home;
  const auto file = home.path() / "a";
  std::ofstream(file) << "first line\nsecond\nthird\n";
  EXPECT_EQ(file_tail(file, 1000), "first line\nsecond\nthird\n");
  EXPECT_EQ(file_tail(file, 15), "second\nthird\n");
  EXPECT_EQ(file_tail(home.path() / "b", 10), "");
  std::ofstream(file) << "no newline at all";
  EXPECT_EQ(file_tail(file, 7), " at all");
}

TEST(TextFile, BytesThatAreNoTextBecomeMarks) {
  EXPECT_EQ(as_utf8("plain é"), "plain é");
  EXPECT_EQ(as_utf8("\xff" "a\xc3"), "?a?");
}

}  // namespace
}  // namespace hpsearch::testing
