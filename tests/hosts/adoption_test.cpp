#include <gtest/gtest.h>

#include <csignal>

#include "scheduler/hosts/process_tree.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

// Reports step after step until the file "enough" appears in its artifact folder.
constexpr const char* kLong =
    "s=0; until [ -e $HPSEARCH_ARTIFACT_DIR/enough ]; do s=$((s+1)); hpsearch report $s loss=1; sleep 0.02; done";

void enough(const TrialLab& lab) {
  std::filesystem::create_directory(artifact_folder(lab.home.path() / "study", 1) / "enough");
}

void expect_each_once(const TrialLab& lab) {
  for (std::size_t i = 0; i < lab.reports.size(); ++i) EXPECT_EQ(lab.reports[i].attempt_seq, i + 1);
}

pid_t keeper_of(const TrialLab& lab) {
  for (pid_t pid : processes_of_attempt(lab.attempt().id))
    if (pid != lab.attempt().pid && ::getpgid(pid) == pid && ::getsid(pid) == pid) return pid;
  return 0;
}

TEST(Adoption, ARunningAttemptGoesOnWithItsPidAndEachReportOnce) {
  TrialLab lab(kLong);
  lab.start();
  const pid_t pid = static_cast<pid_t>(lab.next_of<AttemptStarted>().pid);
  while (lab.reports.size() < 3) lab.next();
  lab.forget_executor();
  const std::string events = lab.file(lab.folder().events());
  ASSERT_TRUE(eventually([&] { return lab.file(lab.folder().events()).size() > events.size() + 100; }));
  lab.adopt();
  while (lab.reports.size() < 8) lab.next();
  EXPECT_TRUE(alive(pid));
  enough(lab);
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.attempt().pid, pid);
  expect_each_once(lab);
  EXPECT_EQ(static_cast<std::size_t>(lab.attempt().last_attempt_seq), lab.reports.size());
}

TEST(Adoption, AnAttemptThatEndedMeanwhileIsCollected) {
  TrialLab lab("hpsearch report 1 loss=1; while [ ! -e $HPSEARCH_ARTIFACT_DIR/enough ]; do sleep 0.02; done; hpsearch report 2 loss=2; exit 5");
  lab.start();
  lab.next_of<Reported>();
  lab.forget_executor();
  enough(lab);
  ASSERT_TRUE(eventually([&] { return keeper_of(lab) == 0 && std::filesystem::exists(lab.folder().exit()); }));
  lab.adopt();
  EXPECT_EQ(lab.end().code, 5);
  EXPECT_EQ(lab.reports.size(), 2u);
  expect_each_once(lab);
}

TEST(Adoption, AVerdictIsDeliveredAgain) {
  TrialLab lab("while hpsearch report 2 loss=1; do sleep 0.05; done; echo told",
               {{"resource", {{"name", "epoch"}, {"min", 1}, {"max", 9}}},
                {"search", {{"pruner", {{"type", "asha"}, {"variant", "stop"}}}}},
                {"trial", {{"verdict_wait", "50ms"}}}});
  lab.start(2.0);
  const Reported report = lab.next_of<Reported>();
  lab.forget_executor();
  lab.new_executor();
  lab.judge(report, Verdict::stop);  // Nobody is there to hear it.
  lab.adopt();
  EXPECT_TRUE(lab.end().ordered);
  EXPECT_EQ(lab.file(lab.folder().output()), "told\n");
}

TEST(Adoption, AKilledKeeperMeansLostAndNothingIsLeftRunning) {
  TrialLab lab("hpsearch report 1 loss=1; setsid sh -c 'trap \"\" TERM; while :; do sleep 0.1; done' & while :; do sleep 0.1; done");
  lab.start();
  lab.next_of<Reported>();
  ASSERT_TRUE(eventually([&] { return processes_of_attempt(lab.attempt().id).size() >= 3; }));
  const pid_t keeper = keeper_of(lab);
  ASSERT_GT(keeper, 0);
  ::kill(keeper, SIGKILL);
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::lost);
  EXPECT_EQ(end.detail, "its keeper is gone");
  EXPECT_TRUE(processes_of_attempt(lab.attempt().id).empty());
}

TEST(Adoption, AKeeperKilledWhileNobodyWatchedMeansLost) {
  TrialLab lab("hpsearch report 1 loss=1; hpsearch report 2 loss=1; exec sleep 60");
  lab.start();
  while (lab.reports.size() < 2) lab.next();
  lab.forget_executor();
  const pid_t keeper = keeper_of(lab);
  ::kill(keeper, SIGKILL);
  ASSERT_TRUE(eventually([&] { return !alive(keeper); }));
  lab.adopt();
  EXPECT_EQ(lab.end().kind, EndKind::lost);
  EXPECT_FALSE(alive(static_cast<pid_t>(lab.attempt().pid)));
  expect_each_once(lab);
}

TEST(Adoption, AnAttemptThatWasNeverStartedIsLost) {
  TrialLab lab(kLong);
  lab.start();
  lab.next_of<AttemptStarted>();
  const pid_t keeper = keeper_of(lab);
  ::kill(keeper, SIGKILL);
  lab.forget_executor();
  ASSERT_TRUE(eventually([&] { return !alive(keeper); }));
  std::filesystem::remove_all(lab.folder().root);
  lab.adopt();
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::lost);
  EXPECT_TRUE(processes_of_attempt(lab.attempt().id).empty());
}

TEST(Adoption, AKeeperThatIsToldToEndEndsItsTrialAndSaysLost) {
  TrialLab lab(kLong);
  lab.start();
  lab.next_of<Reported>();
  ::kill(keeper_of(lab), SIGTERM);
  EXPECT_EQ(lab.end().kind, EndKind::lost);
  EXPECT_FALSE(alive(static_cast<pid_t>(lab.attempt().pid)));
}

}  // namespace
}  // namespace hpsearch::testing
