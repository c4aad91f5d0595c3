#include "dashboard/final_summary.h"

#include <gtest/gtest.h>

#include "dashboard/study_argument.h"
#include "hand_made_study.h"

namespace hpsearch {
namespace {

using testing::HandMadeStudy;
using testing::kOddSpace;

std::string last_line(const std::string& text) {
  const std::size_t end = text.rfind('\n', text.size() - 2);
  return text.substr(end + 1);
}

TEST(FinalSummary, EndsWithTheBestAndItsLevel) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "ok"}, {"m", 0.1234567890123}, {"z", 3}}, 0.5);
  made.failed({{"k", "é"}, {"z", 1}}, 7, "boom");
  made.add(Decision(StudyEnded{"all trials are done", 0}));
  const std::string text = final_summary(made.study(), "/x/cnn");
  EXPECT_EQ(last_line(text), "best: trial 1: acc 0.5 at epoch 27 (completed)\n");
  for (const char* part : {"study cnn: all trials are done", "trials 2 of 10: 1 completed, 1 failed",
                           "first failure: trial 2 failed (exit 7): boom", "m  0.1234567890123", "study in /x/cnn",
                           "next: hpsearch best cnn --dir /x --command"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(FinalSummary, MentionsABetterTrialThatWasStopped) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "é"}, {"z", 1}}, 0.9, TrialState::stopped, 3);
  made.finished({{"k", "é"}, {"z", 2}}, 0.5);
  EXPECT_NE(final_summary(made.study(), "/x/cnn").find("note: trial 1 (stopped at epoch 3) has 0.9"), std::string::npos);
}

TEST(FinalSummary, SaysWhenNoTrialReachedTheEnd) {
  HandMadeStudy made(kOddSpace);
  made.finished({{"k", "é"}, {"z", 1}}, 0.9, TrialState::completed, 3);
  EXPECT_NE(final_summary(made.study(), "/x/cnn").find("note: no trial has reached epoch 27;"), std::string::npos);
  made.finished({{"k", "é"}, {"z", 2}}, 0.9);
  EXPECT_EQ(final_summary(made.study(), "/x/cnn").find("no trial has reached"), std::string::npos);
}

TEST(FinalSummary, SaysWhenThereIsNoBest) {
  HandMadeStudy made(kOddSpace);
  made.failed({{"k", "é"}, {"z", 1}}, 7);
  EXPECT_EQ(last_line(final_summary(made.study(), "/x/cnn")), "best: none: no trial has a finite value\n");
}

TEST(FinalSummary, ShowsWhatTheFirstFailureLastSaid) {
  HandMadeStudy made(kOddSpace);
  made.failed({{"k", "é"}, {"z", 1}}, 7);
  EXPECT_NE(final_summary(made.study(), "/x/cnn").find("first failure: trial 1 failed (exit 7): last words\n"), std::string::npos);
}

TEST(StudyArgument, NamesTheFolderOnlyWhereItIsUnusual) {
  const std::filesystem::path usual = std::filesystem::current_path() / "hpsearch-studies";
  ::unsetenv("HPSEARCH_DIR");
  EXPECT_EQ(study_argument(usual / "cnn"), "cnn");
  EXPECT_EQ(study_argument("/a b/cnn"), "cnn --dir '/a b'");
  ::setenv("HPSEARCH_DIR", "/a b", 1);
  EXPECT_EQ(study_argument("/a b/cnn"), "cnn");
  ::unsetenv("HPSEARCH_DIR");
}

}  // namespace
}  // namespace hpsearch
