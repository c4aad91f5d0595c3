#include "dashboard/text_width.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(text_width("abc"), 3u);
  EXPECT_EQ(text_width("é"), 1u);
  EXPECT_EQ(text_width("漢字"), 4u);
}

TEST(TextWidth, CutsWithDotsAndNeverInsideACharacter) {
  EXPECT_EQ(cut_to_width("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to_width("abcdefg", 6), "abc...");
  EXPECT_EQ(cut_to_width("漢字漢字", 6), "漢...");
  EXPECT_EQ(cut_to_width("abcdef", 2), "..");
}

TEST(TextWidth, PadsByColumns) {
  EXPECT_EQ(pad_left("é", 3), "  é");
  EXPECT_EQ(pad_right("漢", 3), "漢 ");
}

TEST(OneLine, LeavesNothingThatMovesTheCursor) {
  EXPECT_EQ(one_line("a\x1b[31mb\r\nc\td\x7f"), "a?[31mb??c d?");
  EXPECT_EQ(one_line("\xc2\x9b"), "?");
}

TEST(OneLine, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(one_line("a\xff\xc3"), "a??");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???");
}

TEST(Printable, KeepsLines) { EXPECT_EQ(printable("a\nb\x1b"), "a\nb?"); }

}  // namespace
}  // namespace hpsearch
