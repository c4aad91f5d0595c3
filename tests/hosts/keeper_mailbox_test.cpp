#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "scheduler/hosts/attempt_tail.h"
#include "scheduler/hosts/launch.h"
#include "scheduler/hosts/mailbox.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/text_file.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

// A keeper that is followed through its folder, as in a job of a cluster.
class MailboxLab {
  // Tests at the same time must not take each other's sockets and processes for their own.
  static std::string unique_id() {
    char text[33];
    std::snprintf(text, sizeof text, "%032x", static_cast<unsigned>(::getpid()));
    return text;
  }

 public:
  explicit MailboxLab(const std::string& script, std::optional<Span> warning = std::nullopt, bool per_gpu = false)
      : folder_{home_.path() / "attempt"} {
    std::filesystem::create_directories(folder_.root);
    Launch launch;
    launch.id = unique_id();
    launch.trial = launch.attempt = 1;
    launch.argv = {"sh", "-c", script};
    launch.cwd = launch.artifact_dir = home_.path() / "artifacts";
    std::filesystem::create_directories(launch.cwd);
    launch.metric = "loss";
    launch.milestone = 2;
    launch.given = GivenDevices{1, 2};
    launch.mailbox = true;
    launch.per_gpu = per_gpu;
    launch.warning = warning;
    launch.grace = Span(1'000);
    write_atomically(folder_.launch(), launch_json(launch).dump(), Durability::none);
    start();
  }

  ~MailboxLab() {
    ::kill(keeper_, SIGTERM);
    ::waitpid(keeper_, nullptr, 0);
  }

  void start() {
    keeper_ = spawn({HOSTS_PROGRAM, {"hpsearch", "keeper", folder_.root}, {"PATH=/usr/bin:/bin", "CUDA_VISIBLE_DEVICES=4,5,6,7"},
                     "", {}, Lead::session});
  }

  int status() {
    int status = 0;
    ::waitpid(keeper_, &status, 0);
    return WEXITSTATUS(status);
  }

  void warn() { ::kill(keeper_, SIGUSR1); }
  void terminate() { ::kill(keeper_, SIGTERM); }
  void post(const SchedulerWord& word) { post_word(folder_.words(), word); }
  std::string output(int rank = 0) { return read_file(folder_.output(rank)).value_or("(no file)"); }

  template <typename F>
  F next_of() {
    for (;;) {
      while (facts_.empty()) io_.run_one();
      const Fact fact = *facts_.pop();
      if (const F* wanted = std::get_if<F>(&fact)) return *wanted;
    }
  }

 private:
  TemporaryFolder home_;
  AttemptFolder folder_;
  boost::asio::io_context io_;
  FactQueue facts_;
  AttemptTail tail_{io_, facts_, folder_, {1, 1}, 0, "loss", [] {}};
  pid_t keeper_ = 0;
};

constexpr const char* kSlowListener = "s=0; while :; do s=$((s+1)); hpsearch report $s loss=1 || { echo $s $?; exit 0; }; sleep 0.1; done";

TEST(KeeperMailbox, TellsTheStartTheReportsAndTheEndAndHearsVerdicts) {
  MailboxLab lab(kSlowListener);
  EXPECT_GT(lab.next_of<AttemptStarted>().pid, 0);
  EXPECT_EQ(lab.next_of<Reported>().step, 1);
  EXPECT_EQ(lab.next_of<Reported>().step, 2);
  lab.post(VerdictWord{Verdict::go_on, 3});
  EXPECT_EQ(lab.next_of<Reported>().attempt_seq, 3u);
  lab.post(VerdictWord{Verdict::stop, std::nullopt});
  const AttemptEnd end = lab.next_of<AttemptEnded>().end;
  EXPECT_TRUE(end.ordered);
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(lab.output(), "3 3\n");
}

TEST(KeeperMailbox, ObeysOrders) {
  MailboxLab lab("sleep 100");
  lab.next_of<AttemptStarted>();
  lab.post(OrderWord{OrderKind::kill});
  const AttemptEnd end = lab.next_of<AttemptEnded>().end;
  EXPECT_TRUE(end.ordered);
  EXPECT_EQ(end.kind, EndKind::signalled);
}

TEST(KeeperMailbox, GivesTheTrialItsPartOfTheGivenDevices) {
  MailboxLab lab("echo $CUDA_VISIBLE_DEVICES $HPSEARCH_GPUS; exit 0");
  lab.next_of<AttemptEnded>();
  EXPECT_EQ(lab.output(), "5,6 5,6\n");
}

TEST(KeeperMailbox, StartsAProcessForEachGivenDevice) {
  MailboxLab lab("echo $RANK $WORLD_SIZE $CUDA_VISIBLE_DEVICES", std::nullopt, true);
  EXPECT_EQ(lab.next_of<AttemptEnded>().end.code, 0);
  EXPECT_EQ(lab.output(0), "0 2 5,6\n");
  EXPECT_EQ(lab.output(1), "1 2 5,6\n");
  EXPECT_EQ(lab.output(2), "(no file)");
}

TEST(KeeperMailbox, AWarningReachesEveryRank) {
  MailboxLab lab("[ $RANK = 0 ] && sleep 0.2 && hpsearch report 1 loss=1; exec sleep 100", Span(1'200), true);
  lab.next_of<Reported>();
  lab.warn();
  const AttemptEnd end = lab.next_of<AttemptEnded>().end;
  EXPECT_EQ(end.kind, EndKind::lost);
  EXPECT_TRUE(end.ordered);
}

TEST(KeeperMailbox, AWarnedTrialPausesAtItsNextReport) {
  MailboxLab lab("hpsearch report 1 loss=1; until hpsearch report 1 loss=1; [ $? = 3 ]; do sleep 0.1; done; echo paused", Span(20'000));
  lab.next_of<Reported>();
  lab.warn();
  const AttemptEnd end = lab.next_of<AttemptEnded>().end;
  EXPECT_EQ(end.kind, EndKind::lost);
  EXPECT_TRUE(end.ordered);
  EXPECT_EQ(lab.output(), "paused\n");
}

TEST(KeeperMailbox, AWarnedTrialThatReportsNothingIsEndedInTime) {
  MailboxLab lab("sleep 100", Span(1'500));
  lab.next_of<AttemptStarted>();
  lab.warn();
  const AttemptEnd end = lab.next_of<AttemptEnded>().end;
  EXPECT_EQ(end.kind, EndKind::lost);
  EXPECT_TRUE(end.ordered);
}

TEST(KeeperMailbox, WithoutCheckpointsTheLimitIsTheTrialsOwn) {
  MailboxLab lab("sleep 100");
  lab.next_of<AttemptStarted>();
  lab.warn();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  lab.terminate();
  EXPECT_EQ(lab.next_of<AttemptEnded>().end.kind, EndKind::timed_out);
}

TEST(KeeperMailbox, AnAttemptRunsOnce) {
  MailboxLab lab("exit 0");
  lab.next_of<AttemptEnded>();
  EXPECT_EQ(lab.status(), 0);
  lab.start();
  EXPECT_EQ(lab.status(), 1);
}

}  // namespace
}  // namespace hpsearch::testing
