// Attempts of several processes: "launch": "per_gpu".

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "scheduler/hosts/exit_record.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

Json per_gpu(const Json& more = Json::object()) {
  Json trial = {{"gpus", 2}, {"launch", "per_gpu"}};
  trial.update(more);
  return {{"trial", trial}};
}

// A lab whose attempts have so many GPUs.
class RanksLab : public TrialLab {
 public:
  explicit RanksLab(const std::string& script, int gpus = 2, const Json& trial = Json::object()) : TrialLab(script, per_gpu(trial)) {
    for (int gpu = 0; gpu < gpus; ++gpu) devices.push_back("GPU-" + std::to_string(gpu));
  }

  std::string output(int rank) { return file(folder().output(rank)); }
};

constexpr const char* kEnvironment =
    "echo $RANK $LOCAL_RANK $WORLD_SIZE $LOCAL_WORLD_SIZE $MASTER_ADDR $CUDA_VISIBLE_DEVICES $OMP_NUM_THREADS; echo $MASTER_PORT >&2; "
    "[ -S $HPSEARCH_CHANNEL ] && [ -d $HPSEARCH_CHECKPOINT_DIR ] && [ -s $HPSEARCH_PARAMS ] && echo trial $HPSEARCH_TRIAL";

TEST(KeeperRanks, EachProcessSeesAllGpusAndItsRank) {
  ::unsetenv("OMP_NUM_THREADS");
  RanksLab lab(kEnvironment, 3, {{"cpus", 6}});
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  for (int rank = 0; rank < 3; ++rank) {
    const std::string number = std::to_string(rank);
    EXPECT_EQ(lab.output(rank), number + " " + number + " 3 3 127.0.0.1 GPU-0,GPU-1,GPU-2 2\ntrial 1\n");
    EXPECT_EQ(lab.file(lab.folder().errors(rank)), lab.file(lab.folder().errors()));
  }
  const int port = std::atoi(lab.file(lab.folder().errors()).c_str());
  EXPECT_GT(port, 1023);
}

TEST(KeeperRanks, WithOneGpuOrNoneItIsOneProcess) {
  for (int gpus : {0, 1}) {
    RanksLab lab("echo $RANK $WORLD_SIZE $LOCAL_RANK", gpus);
    lab.start();
    EXPECT_EQ(lab.end().code, 0);
    EXPECT_EQ(lab.output(0), "0 1 0\n");
    EXPECT_EQ(lab.output(1), "(no file)");
  }
}

TEST(KeeperRanks, AnOrdinaryTrialHasNoRank) {
  for (const char* name : {"RANK", "WORLD_SIZE"}) ::unsetenv(name);
  TrialLab lab("echo ${RANK-none} ${WORLD_SIZE-none}", {{"trial", {{"gpus", 2}}}});
  lab.devices = {"GPU-0", "GPU-1"};
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.file(lab.folder().output()), "none none\n");
}

TEST(KeeperRanks, OnlyRank0Reports) {
  RanksLab lab("hpsearch report 1 loss=$RANK; echo heard $?; echo hpsearch: step=2 loss=1$RANK");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  ASSERT_EQ(lab.reports.size(), 2u);
  EXPECT_EQ(lab.reports[0].value->number, 0);
  EXPECT_EQ(lab.reports[1].value->number, 10);
  EXPECT_EQ(lab.output(1), "heard 0\nhpsearch: step=2 loss=11\n");
}

TEST(KeeperRanks, EveryRankHearsTheVerdict) {
  RanksLab lab("hpsearch report 1 loss=1; echo heard $?");
  lab.start(1.0);
  const auto report = lab.next_of<Reported>();
  lab.judge(report, Verdict::stop);
  EXPECT_TRUE(lab.end().ordered);
  for (int rank : {0, 1}) EXPECT_EQ(lab.output(rank), "heard 3\n");
}

TEST(KeeperRanks, TheAttemptLastsAsLongAsAnyOfThem) {
  RanksLab lab("[ $RANK = 0 ] && exit 0; sleep 0.5; echo late >$HPSEARCH_ARTIFACT_DIR/late");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.file(artifact_folder(lab.home.path() / "study", 1) / "late"), "late\n");
}

TEST(KeeperRanks, OneThatFailsEndsTheOthersAndTellsWhy) {
  RanksLab lab("[ $RANK = 2 ] && { echo 'no memory' >&2; exit 9; }; echo fine >&2; exec sleep 60", 3);
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(end.code, 9);
  EXPECT_FALSE(end.ordered);
  EXPECT_EQ(end.log_tail, "rank 2:\nno memory\n");
  EXPECT_TRUE(eventually([&] {
    const auto record = parse_exit(lab.file(lab.folder().exit()));
    return record && record->rank == 2;
  }));
}

TEST(KeeperRanks, ThoseThatIgnoreTermAreKilledAfterTheGrace) {
  RanksLab lab("[ $RANK = 1 ] && { sleep 0.3; kill -SEGV $$; }; trap '' TERM; echo $$; while :; do sleep 0.1; done", 2, {{"grace", "300ms"}});
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::signalled);
  EXPECT_EQ(end.code, SIGSEGV);
  EXPECT_FALSE(alive(std::atoi(lab.output(0).c_str())));
}

TEST(KeeperRanks, Rank0sSuccessDoesNotHideAFailure) {
  RanksLab lab("[ $RANK = 0 ] && { hpsearch report loss=1; exit 0; }; sleep 0.3; exit 4");
  lab.start();
  EXPECT_EQ(lab.end().code, 4);
  EXPECT_EQ(lab.reports.size(), 1u);
}

TEST(KeeperRanks, OrdersReachAll) {
  RanksLab lab("trap 'echo told; exit 0' TERM; echo up; while :; do sleep 0.05; done");
  lab.start();
  lab.next_of<AttemptStarted>();
  ASSERT_TRUE(eventually([&] { return lab.output(0) == "up\n" && lab.output(1) == "up\n"; }));
  lab.order(OrderKind::terminate);
  EXPECT_TRUE(lab.end().ordered);
  for (int rank : {0, 1}) EXPECT_EQ(lab.output(rank), "up\ntold\n");
}

TEST(KeeperRanks, TheTimeLimitIsThatOfAll) {
  Json keys = per_gpu();
  keys["limits"] = {{"trials", 1}, {"trial_time", "500ms"}};
  TrialLab lab("[ $RANK = 0 ] && exit 0; exec sleep 60", keys);
  lab.devices = {"GPU-0", "GPU-1"};
  lab.start();
  EXPECT_EQ(lab.end().kind, EndKind::timed_out);
}

}  // namespace
}  // namespace hpsearch::testing
