#include "scheduler/hosts/run_clock.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(RunClock, WaitingIsNeitherRunningNorSilence) {
  RunClock clock(Span(1000), Span(5000), Span(300));
  EXPECT_EQ(clock.running(Span(1100)), Span(100));
  EXPECT_EQ(clock.silence_limit(), Span(1300));
  clock.heard(Span(1200));
  clock.begin_wait(Span(1200));
  clock.begin_wait(Span(1250));
  EXPECT_EQ(clock.running(Span(9000)), Span(200));
  EXPECT_FALSE(clock.silence_limit());
  clock.end_wait(Span(2200));
  clock.end_wait(Span(2300));
  EXPECT_EQ(clock.running(Span(2300)), Span(300));
  EXPECT_EQ(clock.silence_limit(), Span(2500));
  EXPECT_EQ(clock.time_limit(), Span(6000));
}

TEST(RunClock, WithoutLimitsThereAreNone) {
  const RunClock clock(Span(0), std::nullopt, std::nullopt);
  EXPECT_FALSE(clock.time_limit());
  EXPECT_FALSE(clock.silence_limit());
}

}  // namespace
}  // namespace hpsearch
