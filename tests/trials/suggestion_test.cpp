#include "trials/suggestion.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(NearestWord, FindsSlips) {
  EXPECT_EQ(nearest_word("lwo", {"high", "low", "log"}), "low");
  EXPECT_EQ(nearest_word("gaol", {"name", "goal"}), "goal");
  EXPECT_EQ(nearest_word("comand", {"command", "comment"}), "command");
  EXPECT_EQ(nearest_word("Low", {"low"}), "low");
  EXPECT_EQ(nearest_word("constraint", {"constraints"}), "constraints");
}

TEST(NearestWord, StaysSilentWhenNothingIsNear) {
  EXPECT_FALSE(nearest_word("banana", {"low", "high"}));
  EXPECT_FALSE(nearest_word("x", {"a"}));
  EXPECT_FALSE(nearest_word("", {"a"}));
  EXPECT_FALSE(nearest_word(std::string(100000, 'a'), {"a"}));
}

TEST(DidYouMean, IsEmptyWithoutASuggestion) {
  EXPECT_EQ(did_you_mean("lwo", {"low"}), "; did you mean \"low\"?");
  EXPECT_EQ(did_you_mean("zzz", {"low"}), "");
  EXPECT_EQ(joined_quoted({"a", "b"}), "\"a\", \"b\"");
  EXPECT_EQ(joined({"a", "b"}), "a, b");
}

}  // namespace
}  // namespace hpsearch
