#include <gtest/gtest.h>

#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"

namespace hpsearch::testing {
namespace {

TEST(NoPruner, WithAResourceOnlyTheTopGetsAVerdict) {
  StudyText text;
  text.resource = resource_text(1, 9);
  ScriptedStudy study(text.text());
  const int trial = study.launch();
  EXPECT_EQ(study.study().trial(trial).milestone, 9);
  EXPECT_FALSE(study.report(trial, 8, .9));
  const auto judged = study.report(trial, 9, .9);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->verdict, Verdict::complete);
  EXPECT_EQ(judged->reason, "reached epoch 9: complete");
  EXPECT_TRUE(judged->entries.empty());
}

TEST(NoPruner, WithoutAResourceNoReportGetsAVerdict) {
  ScriptedStudy study(StudyText{}.text());
  const int trial = study.launch();
  EXPECT_EQ(study.study().trial(trial).milestone, std::nullopt);
  EXPECT_FALSE(study.report(trial, 1000, .9));
}

}  // namespace
}  // namespace hpsearch::testing
