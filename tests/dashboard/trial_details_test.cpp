#include "dashboard/trial_details.h"

#include <gtest/gtest.h>

#include "dashboard/trial_story.h"
#include "dashboard/value_text.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;

// A trial that was retried after a lost host, paused at 4, promoted and failed with exit 7.
HandMadeStudy detailed() {
  HandMadeStudy made(kOddSpace);
  const int trial = made.launch({{"k", "l1\nl2"}, {"z", 1}}, 4);
  made.add(Fact(AttemptEnded{trial, 1, {EndKind::lost, 0, false, "host gone", ""}, Time{}}));
  made.add(Decision(TrialSettled{trial, 1, TrialState::queued, FailureReason::none, 0, "lost: host gone", true}));
  made.start(trial);
  made.report(trial, 4, 0.5, R"({"loss": 0.1})");
  made.judge(trial, Verdict::pause, {{0, 4, 0.5, 1, 0, 1, false, false}}, "rung 4: 1st of 1, none goes on yet: paused");
  made.end(trial, TrialState::paused);
  made.add(Decision(Promoted{trial, 0, 4, 12, 3, 1, 1, "rung 4: 1st of 3: promoted to 12"}));
  made.start(trial);
  made.end(trial, TrialState::failed, {EndKind::exited, 7, false, "", "Traceback\n\x1b[31mboom"}, FailureReason::exit);
  return made;
}

std::string whole_text(const HandMadeStudy& made) {
  TrialLog log(1);
  RungVisits visits;
  made.replay([&](const Study& before, const Event& event) {
    log.apply(before, event);
    visits.apply(before, event);
  });
  return details_text({made.study(), made.study().trial(1), log, visits.all(), "/s/trials/0001", {"/a1", "/a2", "/a3"}});
}

TEST(TrialDetails, TellAttemptsReportsRungsAndLogTail) {
  const std::string text = whole_text(detailed());
  for (const char* part : {"trial 1: failed (exit 7)", "k = l1?l2", "attempt 3 in /a3", "lost", "Traceback\n?[31mboom",
                           "/s/trials/0001", "loss=0.1", "paused, exit 0", "suggested random: drawn"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(TrialDetails, AreStrictJson) {
  const HandMadeStudy made = detailed();
  TrialLog log(1);
  made.replay([&](const Study& before, const Event& event) { log.apply(before, event); });
  const TrialDetails details{made.study(), made.study().trial(1), log, {}, "/f", {"/a1", "/a2", "/a3"}};
  const Json json = Json::parse(json_text(details_json(details)));
  EXPECT_EQ(json["attempt_list"].size(), 3u);
  EXPECT_EQ(json["attempt_list"][0]["end"]["kind"], "lost");
  EXPECT_EQ(json["attempt_list"][2]["end"]["code"], 7);
  EXPECT_EQ(json["report_list"][0]["metrics"]["acc"], 0.5);
  EXPECT_EQ(json["params"]["k"], "l1\nl2");
}

TEST(TrialStory, TellsEachStepWithItsReason) {
  const HandMadeStudy made = detailed();
  TrialLog log(1);
  made.replay([&](const Study& before, const Event& event) { log.apply(before, event); });
  std::vector<std::string> kinds;
  for (const StoryLine& line : trial_story(log)) kinds.push_back(line.what);
  EXPECT_EQ(kinds, (std::vector<std::string>{"trial_suggested", "attempt_planned", "attempt_started", "attempt_ended",
                                             "trial_settled", "attempt_planned", "attempt_started", "judged",
                                             "attempt_ended", "trial_settled", "promoted", "attempt_planned",
                                             "attempt_started", "attempt_ended", "trial_settled"}));
  const std::string text = story_text(made.study().trial(1), trial_story(log));
  for (const char* part : {"suggested by random: drawn", "back to the queue for a retry: lost: host gone",
                           "with 0.5, rung 4: 1st of 1, none goes on yet: paused", "promoted to 12", "failed (exit 7)"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(TrialLog, KeepsToItsTrial) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "é"}, {"z", 1}}, 0.5);
  made.finished({{"k", "é"}, {"z", 2}}, 0.6);
  TrialLog log(2);
  made.replay([&](const Study& before, const Event& event) { log.apply(before, event); });
  ASSERT_EQ(log.reports().size(), 1u);
  EXPECT_EQ(log.reports()[0].report.value->number, 0.6);
}

}  // namespace
}  // namespace hpsearch
