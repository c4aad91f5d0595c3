#include "dashboard/live_view.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "dashboard/progress.h"
#include "dashboard/text_width.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;
using testing::odd_point;

HandMadeStudy running(int trials) {
  HandMadeStudy made(kOddSpace, trials);
  for (int z = 1; z <= trials; ++z) made.report(made.launch(odd_point(z)), z, 0.1 * z);
  return made;
}

TEST(LiveFrame, ShowsStatesBestSlotsBudgetAndWhatRuns) {
  const HandMadeStudy made = running(2);
  const Time now = made.study().last_at();
  const std::vector<std::string> lines = live_frame(live_snapshot(made.study(), now), now, 100, 24);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[1], "trials  2 of 10: 2 running");
  EXPECT_EQ(lines[2], "best    trial 2: acc 0.2 at epoch 2 (running)");
  EXPECT_EQ(lines[3], "slots   2 of 2 busy");
  EXPECT_EQ(lines[4], "time    8s of 2h, 1h 59m left");
  EXPECT_EQ(lines[5], "running trial 1 epoch 1 acc 0.1 on local:0");
}

TEST(LiveFrame, FitsAnyTerminal) {
  const HandMadeStudy made = running(40);
  const Time now = made.study().last_at();
  for (std::size_t width : {1, 10, 39, 80})
    for (std::size_t height : {0, 1, 6, 9, 24}) {
      const auto lines = live_frame(live_snapshot(made.study(), now), now, width, height);
      EXPECT_LE(lines.size(), height);
      for (const std::string& line : lines) EXPECT_LE(text_width(line), width);
    }
  EXPECT_EQ(live_frame(live_snapshot(made.study(), now), now, 80, 9).back(), "        and 37 more");
}

TEST(LiveFrame, ClockGoesOnWhileNothingHappens) {
  const HandMadeStudy made = running(1);
  const Time now = made.study().last_at();
  const LiveSnapshot snapshot = live_snapshot(made.study(), now);
  EXPECT_EQ(live_frame(snapshot, now + Span(60'000), 80, 24)[4], "time    1m 4s of 2h, 1h 58m left");
}

TEST(RedrawnBlock, GoesBackOverWhatItDrew) {
  RedrawnBlock block;
  EXPECT_EQ(block.redraw({"ab", "c"}, {}, 80), "ab\x1b[K\nc\x1b[K\n\x1b[J");
  EXPECT_EQ(block.redraw({"d"}, {}, 80), "\x1b[2A\rd\x1b[K\n\x1b[J");
}

TEST(RedrawnBlock, CountsLinesThatANarrowerTerminalWrapped) {
  RedrawnBlock block;
  block.redraw({std::string(79, 'x'), "c"}, {}, 80);
  EXPECT_EQ(block.clear(40), "\x1b[3A\r\x1b[J");
  EXPECT_EQ(block.clear(40), "");
}

// A terminal of the given width whose output the test reads.
class Pty {
 public:
  explicit Pty(unsigned short columns) {
    winsize size{24, columns, 0, 0};
    EXPECT_EQ(::openpty(&master_, &slave_, nullptr, nullptr, &size), 0);
  }
  ~Pty() {
    ::close(master_);
    if (slave_ >= 0) ::close(slave_);
  }

  int fd() const { return slave_; }
  std::string written() {
    ::close(slave_);
    slave_ = -1;
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = ::read(master_, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }

 private:
  int master_ = -1, slave_ = -1;
};

std::string told(Pty& pty, const HandMadeStudy& made, ProgressOptions options) {
  options.err_fd = pty.fd();
  make_progress(options)(made.study(), made.events());
  return pty.written();
}

HandMadeStudy whole_session() {
  HandMadeStudy made = running(1);
  made.end(1, TrialState::completed);
  made.add(Decision(StudyEnded{"all trials are done", 0}));
  made.add(Fact(SessionEnded{"finished"}));
  return made;
}

class ProgressTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
  }
};

TEST_F(ProgressTest, DrawsOnATerminalWithinItsWidth) {
  Pty pty(40);
  const std::string text = told(pty, whole_session(), {});
  EXPECT_NE(text.find("trials"), std::string::npos);
  EXPECT_NE(text.find("\x1b[1m"), std::string::npos);
  EXPECT_NE(text.find("best    trial 1: acc 0.1 at epoch 1 ..."), std::string::npos) << text;
}

TEST_F(ProgressTest, HasNoColourWithNoColor) {
  ::setenv("NO_COLOR", "1", 1);
  Pty pty(80);
  EXPECT_EQ(told(pty, whole_session(), {}).find('m' + std::string("\x1b")), std::string::npos);
  Pty other(80);
  const std::string text = told(other, whole_session(), {});
  EXPECT_EQ(text.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(text.find("\x1b[0m"), std::string::npos);
  EXPECT_EQ(text.find("\x1b[32m"), std::string::npos);
}

TEST_F(ProgressTest, IsPlainOnADumbTerminal) {
  ::setenv("TERM", "dumb", 1);
  Pty pty(80);
  const std::string text = told(pty, whole_session(), {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("trial 1 completed"), std::string::npos);
}

TEST_F(ProgressTest, QuietSaysNothingWhenAllIsWell) {
  Pty pty(80), other(80);
  EXPECT_EQ(told(pty, whole_session(), {.quiet = true}), "");
  EXPECT_EQ(told(other, whole_session(), {.quiet = true, .very_quiet = true}), "");
}

TEST_F(ProgressTest, ClosedDescriptorIsNoError) {
  const HandMadeStudy made = whole_session();
  make_progress({.err_fd = -1})(made.study(), made.events());
}

}  // namespace
}  // namespace hpsearch
