#include "scheduler/hosts/checkpoint_store.h"

#include <gtest/gtest.h>

#include "scheduler/hosts/trial_folders.h"
#include "tests/support/here.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

// A study on disk whose attempts each leave a checkpoint folder.
class CheckpointStoreTest : public ::testing::Test {
 protected:
  CheckpointStoreTest() {
    apply(Fact(StudyCreated{"id", 1, "s", "/", Json::parse(R"({
      "study": "s", "command": ["t", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
      "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 30},
      "trial": {"checkpoint": true, "keep_checkpoints": 2}})")}));
    apply(Fact(SessionStarted{"here", 1, {here(2)}, ""}));
  }

  void apply(std::variant<Fact, Decision> body) { study_.apply({study_.last_seq() + 1, Time{}, std::move(body)}); }

  int new_trial() {
    const int number = static_cast<int>(study_.trials().size()) + 1;
    apply(Decision(TrialSuggested{number, {}, 0, std::nullopt}));
    return number;
  }
  void start(int trial, int resume = 0) {
    const int attempt = static_cast<int>(study_.trial(trial).attempts.size()) + 1;
    apply(Decision(AttemptPlanned{trial, attempt, "x", Slot{}, {}, resume, ""}));
    std::filesystem::create_directories(attempt_folder(home_.path(), trial, attempt).checkpoint() / "e1");
  }
  void report(int trial, double step, double loss) {
    Reported report;
    report.trial = trial;
    report.attempt = study_.trial(trial).current()->number;
    report.attempt_seq = ++seq_;
    report.step = step;
    report.value = loss;
    apply(Fact(report));
  }
  void settle(int trial, TrialState state) {
    TrialSettled settled;
    settled.trial = trial;
    settled.attempt = study_.trial(trial).current()->number;
    settled.state = state;
    apply(Decision(settled));
    store_.tidy(study_, trial);
  }
  int run(double loss) {
    const int trial = new_trial();
    start(trial);
    report(trial, 1, loss);
    settle(trial, TrialState::completed);
    return trial;
  }
  bool kept(int trial, int attempt = 1) const {
    return std::filesystem::exists(attempt_folder(home_.path(), trial, attempt).checkpoint());
  }

  TemporaryFolder home_;
  Study study_;
  CheckpointStore::Discard discard() {
    return [this](const Attempt& attempt, int trial) {
      std::filesystem::remove_all(attempt_folder(home_.path(), trial, attempt.number).checkpoint());
    };
  }
  CheckpointStore store_{discard()};
  std::uint64_t seq_ = 0;
};

TEST_F(CheckpointStoreTest, KeepsTheBestOfTheStudy) {
  const int a = run(3), b = run(2);
  EXPECT_TRUE(kept(a) && kept(b));
  const int c = run(1), d = run(9);
  EXPECT_FALSE(kept(a));
  EXPECT_TRUE(kept(b) && kept(c));
  EXPECT_FALSE(kept(d));
}

TEST_F(CheckpointStoreTest, APausedTrialKeepsItsLatestOnly) {
  const int trial = new_trial();
  start(trial);
  report(trial, 1, 5);
  settle(trial, TrialState::paused);
  EXPECT_TRUE(kept(trial, 1));
  apply(Decision(Promoted{trial, 0, 1, 3, 0, 0, 0, ""}));
  start(trial, 1);
  store_.tidy(study_, trial);
  EXPECT_TRUE(kept(trial, 1)) << "pinned by the running attempt";
  EXPECT_TRUE(kept(trial, 2));
  report(trial, 3, 4);
  settle(trial, TrialState::paused);
  EXPECT_FALSE(kept(trial, 1));
  EXPECT_TRUE(kept(trial, 2));
}

TEST_F(CheckpointStoreTest, AnAttemptLostBeforeItsFirstReportLeavesItsPredecessors) {
  const int trial = new_trial();
  start(trial);
  report(trial, 1, 5);
  settle(trial, TrialState::queued);
  start(trial, 1);
  settle(trial, TrialState::queued);
  EXPECT_TRUE(kept(trial, 1));
  EXPECT_FALSE(kept(trial, 2));
}

TEST_F(CheckpointStoreTest, AFailedTrialKeepsNothing) {
  const int trial = new_trial();
  start(trial);
  settle(trial, TrialState::failed);
  EXPECT_FALSE(kept(trial));
}

TEST_F(CheckpointStoreTest, OpeningAStudyTidiesWhatWasMissed) {
  const int a = run(3), b = run(2), c = run(1);
  std::filesystem::create_directories(attempt_folder(home_.path(), a, 1).checkpoint());
  CheckpointStore(discard()).tidy_all(study_);
  EXPECT_FALSE(kept(a));
  EXPECT_TRUE(kept(b) && kept(c));
}

}  // namespace
}  // namespace hpsearch::testing
