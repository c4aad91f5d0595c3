#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

std::vector<pid_t> pids_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<pid_t> pids;
  for (pid_t pid; in >> pid;) pids.push_back(pid);
  return pids;
}

std::vector<pid_t> noted_pids(const TrialLab& lab) {
  return pids_in(lab.file(artifact_folder(lab.home.path() / "study", 1) / "pids"));
}

TEST(KeeperEnding, ExitStatusAndLastWordsAreTold) {
  TrialLab lab("echo some; echo 'last words' >&2; exit 3");
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(end.code, 3);
  EXPECT_FALSE(end.ordered);
  EXPECT_EQ(end.log_tail, "last words\n");
  EXPECT_TRUE(eventually([&] { return lab.file(lab.folder().exit()).find("\"code\":3") != std::string::npos; }));
}

TEST(KeeperEnding, ASignalIsTold) {
  TrialLab lab("hpsearch report 1 loss=1; kill -SEGV $$");
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::signalled);
  EXPECT_EQ(end.code, SIGSEGV);
  EXPECT_EQ(lab.reports.size(), 1u);
}

constexpr const char* kFrames = "i=0; while [ $i -lt 200 ]; do echo \"frame #$i: at::native::some_function_of_that_library(int, int, int)\"; i=$((i+1)); done";

TEST(KeeperEnding, WantOfAGpusMemoryIsToldThoughMoreThanTheTailFollows) {
  TrialLab lab(std::string("(echo \"  what():  CUDA out of memory. Tried to allocate 2.00 GiB\"; ") + kFrames + ") >&2; kill -ABRT $$");
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::signalled);
  EXPECT_EQ(end.out_of_memory, "CUDA out of memory. Tried to allocate 2.00 GiB");
  EXPECT_EQ(end.log_tail.find("CUDA"), std::string::npos);
}

TEST(KeeperEnding, WantOfAGpusMemoryIsFoundInTheOutputToo) {
  TrialLab lab("echo 'RuntimeError: CUDA error: out of memory'; echo bye >&2; exit 1");
  lab.start();
  EXPECT_EQ(lab.end().out_of_memory, "CUDA error: out of memory");
}

TEST(KeeperEnding, WhoEndsWellAfterAWantOfMemoryHasNone) {
  TrialLab lab("echo 'CUDA out of memory: a smaller batch' >&2; hpsearch report 1 loss=1");
  lab.start();
  EXPECT_EQ(lab.end().out_of_memory, "");
}

TEST(KeeperEnding, AMissingProgramIsALaunchFault) {
  TrialLab lab("", {{"command", {"no-such-program-here", "{x}"}}});
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::launch_failed);
  EXPECT_EQ(end.detail, "command not found: no-such-program-here");
}

TEST(KeeperEnding, AFileThatIsNoProgramIsALaunchFault) {
  TrialLab lab("no program", {{"command", {"./t.sh", "{x}"}}});
  std::filesystem::permissions(lab.home.path() / "t.sh", std::filesystem::perms::owner_all);
  lab.start();
  EXPECT_EQ(lab.end().kind, EndKind::launch_failed);
}

TEST(KeeperEnding, SilenceEndsATrial) {
  TrialLab lab("hpsearch report 1 loss=1; sleep 60", {{"limits", {{"trials", 1}, {"silence", "3s"}}}});
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::silent);
  EXPECT_NE(end.detail.find("no report for"), std::string::npos);
  EXPECT_EQ(lab.reports.size(), 1u);
}

TEST(KeeperEnding, AReportLongerThanAMegabyteIsRefusedAndNotCut) {
  TrialLab lab("printf 'hpsearch: loss=1 note='; head -c 1100000 /dev/zero | tr '\\0' x; echo");
  lab.start();
  lab.end();
  EXPECT_TRUE(lab.reports.empty());
  ASSERT_EQ(lab.rejections.size(), 1u);
  EXPECT_EQ(lab.rejections[0].text.rfind("a line longer than 1 MB: hpsearch: loss=1", 0), 0u);
}

TEST(KeeperEnding, ALineCutOffByAKillIsNoReport) {
  const std::string half = "printf 'hpsearch: step=1 loss=2\\nhpsearch: step=2 lo'; ";
  TrialLab killed(half + "kill -9 $$");
  killed.start();
  EXPECT_EQ(killed.end().kind, EndKind::signalled);
  EXPECT_EQ(killed.reports.size(), 1u);
  EXPECT_TRUE(killed.rejections.empty());
  TrialLab exited("printf 'hpsearch: step=1 loss=2'");
  exited.start();
  EXPECT_EQ(exited.end().kind, EndKind::exited);
  EXPECT_EQ(exited.reports.size(), 1u);
}

TEST(KeeperEnding, TheTimeLimitEndsAChattyTrial) {
  TrialLab lab("s=0; while :; do s=$((s+1)); hpsearch report $s loss=1; sleep 0.1; done",
               {{"limits", {{"trials", 1}, {"silence", "10s"}, {"trial_time", "600ms"}}}});
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::timed_out);
  EXPECT_FALSE(end.ordered);
  EXPECT_GE(lab.reports.size(), 2u);
}

TEST(KeeperEnding, AWholeTreeThatIgnoresTermIsGoneAfterTheGrace) {
  TrialLab lab(
      "trap '' TERM INT; echo $$ >> $HPSEARCH_ARTIFACT_DIR/pids; "
      "setsid sh -c 'trap \"\" TERM; echo $$ >> $HPSEARCH_ARTIFACT_DIR/pids; while :; do sleep 0.1; done' & "
      "(trap '' TERM; sh -c 'echo $$' >> $HPSEARCH_ARTIFACT_DIR/pids; while :; do sleep 0.1; done) & "
      "while :; do sleep 0.1; done",
      {{"trial", {{"grace", "200ms"}}}});
  lab.start();
  lab.next_of<AttemptStarted>();
  ASSERT_TRUE(eventually([&] { return noted_pids(lab).size() == 3; }));
  lab.order(OrderKind::terminate);
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::signalled);
  EXPECT_EQ(end.code, SIGKILL);
  EXPECT_TRUE(end.ordered);
  for (pid_t pid : noted_pids(lab)) EXPECT_FALSE(alive(pid)) << pid;
}

TEST(KeeperEnding, WhatATrialLeavesBehindIsEndedToo) {
  TrialLab lab("setsid sh -c 'echo $$ >> $HPSEARCH_ARTIFACT_DIR/pids; exec sleep 60' & "
               "while [ ! -s $HPSEARCH_ARTIFACT_DIR/pids ]; do sleep 0.01; done; hpsearch report loss=4");
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(end.code, 0);
  ASSERT_EQ(noted_pids(lab).size(), 1u);
  EXPECT_FALSE(alive(noted_pids(lab)[0]));
}

TEST(KeeperEnding, WhatWasForkedWhileTheTreeWasEndedDoesNotOutlastItsParent) {
  TrialLab lab("trap 'setsid sleep 60 & exit 0' TERM; hpsearch report 1 loss=1; while :; do sleep 0.05; done",
               {{"trial", {{"grace", "60s"}}}});
  lab.start();
  lab.next_of<Reported>();
  lab.order(OrderKind::terminate);
  EXPECT_TRUE(lab.end().ordered);
}

TEST(KeeperEnding, AKillOrderDoesNotWaitForTheGrace) {
  TrialLab lab("trap '' TERM; hpsearch report 1 loss=1; while :; do sleep 0.1; done", {{"trial", {{"grace", "60s"}}}});
  lab.start();
  lab.next_of<Reported>();
  lab.order(OrderKind::terminate);
  lab.order(OrderKind::kill);
  EXPECT_EQ(lab.end().code, SIGKILL);
}

TEST(KeeperEnding, TheSocketFileGoesWithTheKeeper) {
  TrialLab lab("echo $HPSEARCH_CHANNEL; hpsearch report loss=1");
  lab.start();
  lab.end();
  std::string socket = lab.file(lab.folder().output());
  socket.pop_back();
  EXPECT_TRUE(eventually([&] { return !std::filesystem::exists(socket); })) << socket;
}

}  // namespace
}  // namespace hpsearch::testing
