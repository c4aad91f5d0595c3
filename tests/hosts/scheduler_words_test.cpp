#include "scheduler/hosts/scheduler_words.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

SchedulerWord echoed(const SchedulerWord& word) {
  const std::string text = word_text(word);
  EXPECT_EQ(text.back(), '\n');
  return parse_word(text).value();
}

TEST(SchedulerWords, AreReadAsWritten) {
  EXPECT_EQ(std::get<Hello>(echoed(Hello{17})).from, 17u);
  for (Verdict verdict : {Verdict::go_on, Verdict::pause, Verdict::stop, Verdict::complete})
    EXPECT_EQ(std::get<VerdictWord>(echoed(VerdictWord{verdict, 3.5})).verdict, verdict);
  EXPECT_EQ(std::get<VerdictWord>(echoed(VerdictWord{Verdict::go_on, 3.5})).milestone, 3.5);
  EXPECT_FALSE(std::get<VerdictWord>(echoed(VerdictWord{Verdict::stop, {}})).milestone);
  for (OrderKind order : {OrderKind::pause_at_report, OrderKind::terminate, OrderKind::kill})
    EXPECT_EQ(std::get<OrderWord>(echoed(OrderWord{order})).order, order);
}

TEST(SchedulerWords, AHelloStartsWithItsKey) { EXPECT_TRUE(word_text(Hello{1}).starts_with("{\"hello\"")); }

TEST(SchedulerWords, OthersAreNone) {
  for (const char* text : {"", "{}", "7", "{\"verdict\":\"maybe\",\"milestone\":1}", "{\"order\":\"dance\"}", "{\"hello\":1}"})
    EXPECT_FALSE(parse_word(text)) << text;
}

}  // namespace
}  // namespace hpsearch
