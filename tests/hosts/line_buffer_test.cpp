#include "scheduler/hosts/line_buffer.h"

#include <gtest/gtest.h>

#include <vector>

namespace hpsearch {
namespace {

struct Lines {
  LineBuffer buffer{8};
  std::vector<std::string> lines;
  int overlong = 0;
  void feed(std::string_view bytes) {
    buffer.feed(bytes, [&](std::string_view line, bool cut) {
      lines.emplace_back(line);
      overlong += cut;
    });
  }
};

TEST(LineBuffer, CutsAtNewlinesHoweverTheBytesCome) {
  const std::string text = "one\n\ntwo\nthree\nrest";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    Lines lines;
    for (std::size_t at = 0; at < text.size(); at += piece) lines.feed(std::string_view(text).substr(at, piece));
    EXPECT_EQ(lines.lines, (std::vector<std::string>{"one", "", "two", "three"}));
    EXPECT_EQ(lines.buffer.rest(), "rest");
  }
}

TEST(LineBuffer, ALineBeyondTheLimitIsCutAndSaid) {
  Lines lines;
  lines.feed("12345678\n123456789\nx\n");
  EXPECT_EQ(lines.lines, (std::vector<std::string>{"12345678", "12345678", "x"}));
  EXPECT_EQ(lines.overlong, 1);
  for (int i = 0; i < 100; ++i) lines.feed("abcdef");
  EXPECT_EQ(lines.buffer.rest().size(), 8u);
  lines.feed("\ny\n");
  EXPECT_EQ(lines.lines.back(), "y");
  EXPECT_EQ(lines.overlong, 2);
}

}  // namespace
}  // namespace hpsearch
