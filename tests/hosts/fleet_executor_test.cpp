#include "scheduler/hosts/fleet_executor.h"

#include <gtest/gtest.h>

#include <fstream>

#include "scheduler/clock.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

TEST(FleetExecutor, ADeadlineInThePastPolls) {
  TrialLab lab("sleep 60");
  EXPECT_TRUE(std::holds_alternative<Tick>(lab.executor().wait(SystemClock().now() - Span(1000))));
}

TEST(FleetExecutor, PushedFactsComeOutOfWait) {
  TrialLab lab("sleep 60");
  lab.executor().push(Interrupted{2});
  const auto news = lab.executor().wait(std::nullopt);
  EXPECT_EQ(std::get<Interrupted>(std::get<Fact>(news)).level, 2);
}

TEST(FleetExecutor, WordsToAttemptsThatAreGoneAreIgnored) {
  TrialLab lab("exit 0");
  lab.start();
  lab.end();
  lab.executor().tell(lab.study, EndOrdered{1, 1, OrderKind::kill, "", false});
  lab.executor().tell(lab.study, EndOrdered{8, 1, OrderKind::kill, "", false});
  EXPECT_TRUE(std::holds_alternative<Tick>(lab.executor().wait(SystemClock().now())));
}

TEST(FleetExecutor, AFolderThatCannotBeMadeIsALaunchFault) {
  TrialLab lab("", {{"command", {"sh", "t.sh", "{x}"}}});
  std::filesystem::remove_all(lab.home.path() / "study");
  std::ofstream(lab.home.path() / "study") << "a file where the study's folder belongs";
  lab.start();
  EXPECT_EQ(lab.end().kind, EndKind::launch_failed);
}

TEST(FleetExecutor, TheNextAttemptFindsThePinnedCheckpoint) {
  TrialLab lab("if [ -n \"$HPSEARCH_RESUME_DIR\" ]; then cat $HPSEARCH_RESUME_DIR/$HPSEARCH_RESUME_CHECKPOINT; hpsearch report 2 loss=1; "
               "else echo one > $HPSEARCH_CHECKPOINT_DIR/e1; hpsearch report 1 loss=1 --checkpoint=e1; fi",
               {{"trial", {{"checkpoint", true}}}});
  lab.start();
  lab.end();
  lab.settle(TrialState::queued);
  lab.executor().committed(lab.study, {});
  lab.start(std::nullopt, 1, "e1");
  lab.end();
  EXPECT_EQ(lab.file(lab.folder().output()), "one\n");
}

TEST(FleetExecutor, ALongTemporaryFolderDoesNotMatter) {
  const TemporaryFolder outer;
  const std::string folder = outer.path() / std::string(120, 'l');
  std::filesystem::create_directory(folder);
  ::setenv("TMPDIR", folder.c_str(), 1);
  ::unsetenv("XDG_RUNTIME_DIR");
  struct Restore {
    ~Restore() { ::unsetenv("TMPDIR"); }
  } restore;
  TrialLab lab("hpsearch report loss=1");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.reports.size(), 1u);
}

}  // namespace
}  // namespace hpsearch::testing
