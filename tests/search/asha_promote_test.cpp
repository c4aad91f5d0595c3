#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <queue>

#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"
#include "trials/number.h"

namespace hpsearch::testing {
namespace {

using Words = std::vector<std::string>;

// Trials are written from T0, as in the published traces: T0 is trial number 1.
std::string job_text(int trial, double from, double to) {
  std::string text = "T";
  text += std::to_string(trial - 1);
  if (from == 0) return text + "@" + format_number(to);
  return text + " " + format_number(from) + "->" + format_number(to);
}

// ---- One worker --------------------------------------------------------------------------------------------------

// What one worker does until it would start one trial more than there are losses.
Words single_worker(ScriptedStudy& study, const std::vector<double>& losses) {
  Words jobs;
  while (true) {
    int trial = 0;
    double from = 0;
    if (const auto promotion = study.promote()) {
      trial = promotion->trial;
      from = promotion->from;
    } else if (study.study().trials().size() == losses.size()) {
      return jobs;
    } else {
      trial = study.launch();
    }
    const double to = *study.study().trial(trial).milestone;
    jobs.push_back(job_text(trial, from, to));
    study.finish(trial, to, losses[trial - 1]);
  }
}

const std::vector<double> kLosses = {.50, .40, .60, .30, .70, .20, .80, .10, .90};
const Words kFloorTrace = {"T0@1",    "T1@1",    "T2@1", "T1 1->3", "T3@1",    "T3 1->3", "T4@1", "T5@1",
                           "T5 1->3", "T5 3->9", "T6@1", "T7@1",    "T7 1->3", "T7 3->9", "T8@1"};

TEST(AshaPromote, WorkedSequenceOfOneWorker) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  EXPECT_EQ(single_worker(study, kLosses), kFloorTrace);
  EXPECT_EQ(study.study().count(TrialState::completed), 2);
}

TEST(AshaPromote, WorkedSequenceRoundedUp) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9, R"(, "promote_rounding": "ceil")"));
  EXPECT_EQ(single_worker(study, kLosses),
            (Words{"T0@1", "T1@1", "T1 1->3", "T2@1", "T3@1", "T3 1->3", "T3 3->9", "T4@1", "T5@1", "T5 1->3",
                   "T5 3->9", "T6@1", "T7@1", "T7 1->3", "T7 3->9", "T8@1"}));
  EXPECT_EQ(study.study().count(TrialState::completed), 3);
}

TEST(AshaPromote, MaximisingMirrorsMinimising) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9, "", "maximize"));
  std::vector<double> gains = kLosses;
  for (double& gain : gains) gain = -gain;
  EXPECT_EQ(single_worker(study, gains), kFloorTrace);
}

TEST(AshaPromote, ReasonsNamePlaceAndOutcome) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  const int first = study.launch();
  EXPECT_EQ(study.finish(first, 1, .5).reason, "rung 1: 1st of 1, none goes on yet: paused");
  study.finish(study.launch(), 1, .4);
  EXPECT_EQ(study.finish(study.launch(), 1, .6).reason, "rung 1: 3rd of 3, the best goes on: paused");
  EXPECT_EQ(study.promote()->reason, "rung 1: 1st of 3, the best goes on: promoted to 3");
  EXPECT_EQ(study.finish(study.launch(), 1, kNan).reason, "rung 1: nan, so last of 4, the best goes on: stopped");
}

TEST(AshaPromote, RecordsPlaceSizeAndKept) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  for (double loss : {.5, .4, .4}) study.finish(study.launch(), 1, loss);
  const Judged judged = study.finish(study.launch(), 1, .4);
  ASSERT_EQ(judged.entries.size(), 1u);
  const RungEntry& entry = judged.entries[0];
  EXPECT_EQ(entry.level, 1);
  EXPECT_EQ(entry.value, .4);
  EXPECT_EQ(entry.n, 4);
  EXPECT_EQ(entry.k, 1);
  EXPECT_EQ(entry.rank, 3) << "equals rank by their order";
  EXPECT_FALSE(entry.approximate);
  EXPECT_FALSE(entry.skipped);
  const auto promotion = study.promote();
  EXPECT_EQ(promotion->trial, 2) << "the earlier of equals";
  EXPECT_EQ(promotion->n, 4);
  EXPECT_EQ(promotion->k, 1);
  EXPECT_EQ(promotion->rank, 1);
}

// ---- Two workers -------------------------------------------------------------------------------------------------

// Two workers in virtual time, a unit of resource a unit of time (trial T0: `slowness` of them). After each event
// the worker it freed asks first, then the idle ones in their order. Events at equal times come in start order.
class TwoWorkers {
 public:
  Words decisions;
  double slowness = 1;
  int fails_on_promotion = 0;  // A trial number.

  void run() {
    ask(0);
    ask(1);
    while (!running_.empty()) {
      const Job job = running_.top();
      running_.pop();
      now_ = job.end;
      finish(job);
      idle_[job.worker] = true;
      ask(job.worker);
      for (int worker : {0, 1}) ask(worker);
    }
  }

  const Study& study() const { return study_.study(); }
  double now() const { return now_; }

 private:
  struct Job {
    double end;
    int order, worker, trial;
    double to;
    bool operator>(const Job& other) const { return std::pair(end, order) > std::pair(other.end, other.order); }
  };

  void ask(int worker) {
    if (!idle_[worker]) return;
    const auto promotion = study_.promote();
    if (!promotion && study_.study().trials().size() == losses_.size()) return;
    const int trial = promotion ? promotion->trial : study_.launch();
    const double from = promotion ? promotion->from : 0;
    const double to = *study_.study().trial(trial).milestone;
    const double pace = trial == 1 ? slowness : 1;
    idle_[worker] = false;
    running_.push({now_ + pace * (to - from), started_++, worker, trial, to});
    decisions.push_back(format_number(now_) + " w" + std::to_string(worker) + " " + job_text(trial, from, to));
  }

  void finish(const Job& job) {
    if (job.trial == fails_on_promotion && job.to > 1) study_.end(job.trial, TrialState::failed);
    else study_.finish(job.trial, job.to, losses_[job.trial - 1]);
  }

  const std::vector<double> losses_ = {.5, .3, .4, .2, .6, .1};
  ScriptedStudy study_{asha_text("promote", 2, 1, 4)};
  std::priority_queue<Job, std::vector<Job>, std::greater<>> running_;
  bool idle_[2] = {true, true};
  int started_ = 0;
  double now_ = 0;
};

TEST(AshaPromote, WorkedSequenceOfTwoWorkers) {
  TwoWorkers workers;
  workers.run();
  EXPECT_EQ(workers.decisions, (Words{"0 w0 T0@1", "0 w1 T1@1", "1 w0 T2@1", "1 w1 T1 1->2", "2 w0 T3@1", "2 w1 T4@1",
                                      "3 w0 T3 1->2", "3 w1 T5@1", "4 w0 T3 2->4", "4 w1 T5 1->2", "5 w1 T5 2->4"}));
  EXPECT_EQ(workers.now(), 7);
  EXPECT_EQ(workers.study().count(TrialState::completed), 2);
}

TEST(AshaPromote, ATrialThatFailedAfterPromotionIsNeverPromotedAgain) {
  TwoWorkers workers;
  workers.fails_on_promotion = 2;
  workers.run();
  EXPECT_EQ(workers.decisions, (Words{"0 w0 T0@1", "0 w1 T1@1", "1 w0 T2@1", "1 w1 T1 1->2", "2 w0 T3@1", "2 w1 T4@1",
                                      "3 w0 T3 1->2", "3 w1 T5@1", "4 w1 T5 1->2", "5 w1 T5 2->4"}));
  EXPECT_EQ(workers.now(), 7);
  EXPECT_EQ(workers.study().count(TrialState::completed), 1);
  EXPECT_EQ(workers.study().trial(4).state, TrialState::paused);
}

TEST(AshaPromote, NobodyWaitsForAStraggler) {
  TwoWorkers workers;
  workers.slowness = 5;
  workers.run();
  for (const char* decision : {"2 w1 T1 1->2", "4 w1 T3 1->2", "5 w1 T3 2->4", "8 w0 T5 2->4"})
    EXPECT_EQ(std::count(workers.decisions.begin(), workers.decisions.end(), decision), 1) << decision;
  EXPECT_EQ(workers.now(), 10);
}

// ---- Single rules ------------------------------------------------------------------------------------------------

void force_promotion(ScriptedStudy& study, int trial, double from, double to) {
  Promoted event;
  event.trial = trial;
  event.from = from;
  event.to = to;
  study.apply(Decision(event));
  study.start(trial);
}

TEST(AshaPromote, TopRungIsAskedFirst) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  for (double loss : kLosses) study.finish(study.launch(), 1, loss);
  for (int trial : {2, 4, 6}) force_promotion(study, trial, 1, 3);
  for (int trial : {2, 4, 6}) study.finish(trial, 3, kLosses[trial - 1]);
  const auto first = study.promote(), second = study.promote();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(job_text(first->trial, first->from, first->to), "T5 3->9");
  EXPECT_EQ(job_text(second->trial, second->from, second->to), "T7 1->3");
  EXPECT_FALSE(study.promote());
}

TEST(AshaPromote, ValuesThatAreNotFiniteCountButAreNeverPromoted) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  for (double loss : {kNan, kNan, .5, kNan, kInf, kNan}) study.finish(study.launch(), 1, loss);
  const auto promotion = study.promote();
  ASSERT_TRUE(promotion);
  EXPECT_EQ(promotion->trial, 3);
  EXPECT_EQ(promotion->n, 6);
  EXPECT_EQ(promotion->k, 2);
  EXPECT_FALSE(study.promote());
  study.finish(study.launch(), 1, kNan);
  EXPECT_FALSE(study.promote());
  study.finish(study.launch(), 1, .7);
  EXPECT_EQ(study.promote()->trial, 8);
}

TEST(AshaPromote, LastRungOffTheLadderKeepsMore) {
  ScriptedStudy study(asha_text("promote", 3, 1, 5));
  std::vector<std::int64_t> kept;
  for (int i = 0; i < 5; ++i) kept.push_back(study.finish(study.launch(), 3, .5).entries[1].k);
  EXPECT_EQ(kept, (std::vector<std::int64_t>{0, 1, 1, 2, 3})) << "3 n / 5";
}

TEST(AshaPromote, AReportPastSeveralRungsEntersAllAndGoesOnFromWhereItIs) {
  ScriptedStudy study(asha_text("promote", 3, 1, 27));
  const int jumper = study.launch();
  const Judged judged = study.finish(jumper, 4, .1);
  ASSERT_EQ(judged.entries.size(), 2u);
  EXPECT_EQ(judged.verdict, Verdict::pause);
  EXPECT_EQ(judged.entries[0].level, 1);
  EXPECT_TRUE(judged.entries[0].skipped && judged.entries[0].approximate);
  EXPECT_EQ(judged.entries[1].level, 3);
  EXPECT_TRUE(!judged.entries[1].skipped && judged.entries[1].approximate);
  EXPECT_EQ(judged.reason, "rung 3 (reported at 4): 1st of 1, none goes on yet: paused");
  for (double loss : {.5, .4}) study.finish(study.launch(), 1, loss);
  EXPECT_FALSE(study.promote()) << "in rung 1 the skipped entry counts as promoted";
  for (double loss : {.5, .4}) study.finish(study.launch(), 3, loss);
  const auto promotion = study.promote();
  ASSERT_TRUE(promotion);
  EXPECT_EQ(promotion->trial, jumper);
  EXPECT_EQ(promotion->from, 3);
  EXPECT_EQ(promotion->to, 9);
}

TEST(AshaPromote, ReachingTheTopCompletesWhateverWasSkipped) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  const Judged judged = study.finish(study.launch(), 10, .9);
  EXPECT_EQ(judged.verdict, Verdict::complete);
  EXPECT_EQ(judged.reason, "reached epoch 9: complete");
  ASSERT_EQ(judged.entries.size(), 2u);
  EXPECT_TRUE(judged.entries[0].skipped && judged.entries[1].skipped);
  EXPECT_EQ(study.study().trial(1).state, TrialState::completed);
}

TEST(AshaPromote, ExactMilestonesStopATrialThatJumpsOverOne) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9, R"(, "milestone": "exact")"));
  EXPECT_EQ(study.finish(study.launch(), 1, .5).verdict, Verdict::pause);
  const Judged judged = study.finish(study.launch(), 2, .1);
  EXPECT_EQ(judged.verdict, Verdict::stop);
  EXPECT_TRUE(judged.entries.empty());
  EXPECT_NE(judged.reason.find("rung 1 was missed: epoch 2"), std::string::npos) << judged.reason;
}

TEST(AshaPromote, OnlyPausedTrialsThatAreNotExcludedArePromoted) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  for (double loss : {.1, .2, .3, .4, .5}) study.finish(study.launch(), 1, loss);
  const int last = study.launch();
  study.apply(Fact(Excluded{1, true}));
  EXPECT_FALSE(study.promote()) << "k = 1 and the best is excluded";
  study.report(last, 1, .05);
  EXPECT_FALSE(study.promote()) << "k = 2 and the best has not yet paused";
  study.end(last);
  EXPECT_EQ(study.promote()->trial, last);
}

TEST(AshaPromote, CancelledTrialsAreNeverPromoted) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  for (double loss : {.1, .2, .3}) study.finish(study.launch(), 1, loss);
  TrialSettled cancelled;
  cancelled.trial = 1;
  cancelled.state = TrialState::cancelled;
  study.apply(Decision(cancelled));
  EXPECT_FALSE(study.promote());
}

TEST(AshaPromote, ListedLevelsWork) {
  ScriptedStudy study(asha_text("promote", 3, 1, 20, R"(, "levels": [2, 5, 20])"));
  for (double loss : {.1, .2, .3}) EXPECT_EQ(study.finish(study.launch(), 2, loss).entries[0].level, 2);
  EXPECT_EQ(study.promote()->to, 5);
}

TEST(AshaPromote, AfterAChangeOfTheLadderOldLevelsAreNotComparedWithNewOnes) {
  ScriptedStudy study(asha_text("promote", 3, 1, 9));
  for (double loss : {.1, .2, .3}) study.finish(study.launch(), 1, loss);
  const auto changed = make_pruner(parse_spec(asha_text("promote", 3, 2, 18), "test.json"));
  for (const Event& event : study.log()) changed->apply(study.study(), event);
  EXPECT_FALSE(changed->next(study.study()));
  Reported report;
  report.trial = 4;
  report.step = 2;
  EXPECT_EQ(changed->judge(study.study(), report, .5).entries.at(0).n, 1);
}

TEST(AshaPromote, WithoutRungsEveryTrialRunsToTheEnd) {
  ScriptedStudy study(asha_text("promote", 3, 4, 4));
  const int trial = study.launch();
  EXPECT_EQ(study.study().trial(trial).milestone, 4);
  EXPECT_EQ(study.finish(trial, 4, .5).verdict, Verdict::complete);
  EXPECT_FALSE(study.promote());
}

}  // namespace
}  // namespace hpsearch::testing
