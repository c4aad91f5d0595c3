#include <gtest/gtest.h>

#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

TEST(KeeperOutput, VerbReportsArriveInOrder) {
  TrialLab lab("for s in 1 2 3; do hpsearch report $s loss=0.$s acc=$s; done; hpsearch report loss=9");
  lab.start();
  EXPECT_GT(lab.next_of<AttemptStarted>().pid, 0);
  const AttemptEnd end = lab.end();
  EXPECT_EQ(end.kind, EndKind::exited);
  EXPECT_EQ(end.code, 0) << end.log_tail;
  ASSERT_EQ(lab.reports.size(), 4u);
  EXPECT_EQ(lab.reports[1].step, 2.0);
  EXPECT_EQ(lab.reports[1].value, MetricValue(0.2));
  EXPECT_EQ(lab.reports[1].other_metrics, R"({"acc":2})");
  EXPECT_EQ(lab.reports[3].step, std::nullopt);
  EXPECT_EQ(lab.reports[3].attempt_seq, 4u);
}

TEST(KeeperOutput, NoiseOnBothStreamsDoesNotBlockAndIsKeptByteForByte) {
  TrialLab lab(
      "head -c 5000000 /dev/zero | tr '\\0' 'e' >&2; head -c 5000000 /dev/zero | tr '\\0' 'o'; echo; "
      "echo 'hpsearch: step=1 loss=0.5'; printf 'hpsearch: loss=0.25'");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  ASSERT_EQ(lab.reports.size(), 2u);
  EXPECT_EQ(lab.reports[1].value, MetricValue(0.25));
  EXPECT_EQ(lab.file(lab.folder().errors()), std::string(5'000'000, 'e'));
  EXPECT_EQ(lab.file(lab.folder().output()),
            std::string(5'000'000, 'o') + "\nhpsearch: step=1 loss=0.5\nhpsearch: loss=0.25");
}

TEST(KeeperOutput, CollectRulesReadBothStreams) {
  const Json rules = Json::parse(R"J([{"stdout": "epoch (\\d+) .*loss (\\S+)", "as": ["step", "loss"]},
                                     {"stderr": "final (\\S+)", "as": ["loss"]}])J");
  TrialLab lab("echo 'epoch 1 took 3s loss 7.5e-05'; echo 'final 2' >&2; echo noise", {{"collect", rules}});
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  ASSERT_EQ(lab.reports.size(), 2u);
  std::sort(lab.reports.begin(), lab.reports.end(), [](auto& a, auto& b) { return a.step > b.step; });
  EXPECT_EQ(lab.reports[0].step, 1.0);
  EXPECT_EQ(lab.reports[0].value, MetricValue(7.5e-05));
  EXPECT_EQ(lab.reports[1].value, MetricValue(2));
  EXPECT_EQ(lab.file(lab.folder().errors()), "final 2\n");
}

TEST(KeeperOutput, ArgumentsAndParametersArriveByteForByte) {
  const std::string odd = "a'b\"c $(touch no) `x`\n\\ é -x";
  TrialLab lab("printf %s \"$2\" > \"$HPSEARCH_ARTIFACT_DIR/arg\"; hpsearch report loss=1",
               {{"command", {"sh", "t.sh", "{x}", "{text}"}}, {"settings", {{"text", odd}}}});
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.file(artifact_folder(lab.home.path() / "study", 1) / "arg"), odd);
  EXPECT_EQ(Json::parse(lab.file(lab.folder().params())), Json({{"x", 5}}));
}

TEST(KeeperOutput, TheEnvironmentIsThatOfTheProtocol) {
  TrialLab lab("env > \"$HPSEARCH_ARTIFACT_DIR/env\"; pwd -P > \"$HPSEARCH_ARTIFACT_DIR/pwd\"; hpsearch report loss=1",
               {{"resource", {{"name", "epoch"}, {"min", 1}, {"max", 9}}},
                {"search", {{"pruner", "none"}}},
                {"trial", {{"env", {{"MINE", "a b"}}}}}});
  lab.start(9.0, 3, "e4");
  EXPECT_EQ(lab.end().code, 0);
  const std::string env = '\n' + lab.file(artifact_folder(lab.home.path() / "study", 1) / "env");
  for (const char* entry :
       {"HPSEARCH_TRIAL=1", "HPSEARCH_ATTEMPT=1", "HPSEARCH_RESOURCE=9", "HPSEARCH_RESOURCE_MAX=9", "MINE=a b",
        "CUDA_VISIBLE_DEVICES=", "HPSEARCH_GPUS=", "HPSEARCH_RESUME_CHECKPOINT=e4", "OMP_NUM_THREADS="})
    EXPECT_NE(env.find('\n' + std::string(entry)), std::string::npos) << entry;
  EXPECT_NE(env.find("\nHPSEARCH_RESUME_DIR=" +
                     attempt_folder(lab.home.path() / "study", 1, 3).checkpoint().string() + '\n'),
            std::string::npos);
  EXPECT_EQ(lab.file(artifact_folder(lab.home.path() / "study", 1) / "pwd"),
            std::filesystem::canonical(lab.home.path()).string() + "\n");
}

TEST(KeeperOutput, ValuesPassTheVerbUnchanged) {
  TrialLab lab("for v in 12abc 1e400 0x10 '' 0,5; do hpsearch report \"loss=$v\"; done; hpsearch report 'acc top 1=0.5'");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  ASSERT_EQ(lab.reports.size(), 6u);
  EXPECT_EQ(lab.reports[0].value->text, "12abc");
  EXPECT_EQ(lab.reports[1].value->text, "1e400");
  EXPECT_EQ(lab.reports[2].value->text, "0x10");
  EXPECT_EQ(lab.reports[3].value, MetricValue::parse(""));
  EXPECT_EQ(lab.reports[4].value->text, "0,5");
  EXPECT_EQ(lab.reports[5].other_metrics, R"({"acc top 1":0.5})");
}

TEST(KeeperOutput, AStepThatGoesBackEndsTheTrial) {
  TrialLab lab("hpsearch report 2 loss=1; hpsearch report 1 loss=1 || echo refused $? >&2; sleep 30");
  lab.start();
  const AttemptEnd end = lab.end();
  EXPECT_NE(end.kind == EndKind::exited && end.code == 0, true);
  ASSERT_EQ(lab.rejections.size(), 1u);
  EXPECT_EQ(lab.rejections[0].attempt_seq, 2u);
  EXPECT_NE(lab.rejections[0].text.find("from 2 to 1"), std::string::npos);
}

TEST(KeeperOutput, AMalformedReportIsRefusedAndTheTrialGoesOn) {
  TrialLab lab("hpsearch report 1; echo $?; echo 'hpsearch: gibberish'; hpsearch report 1 loss=2");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.rejections.size(), 1u);
  EXPECT_EQ(lab.reports.size(), 1u);
  EXPECT_EQ(lab.file(lab.folder().output()).substr(0, 2), "2\n");
}

TEST(KeeperOutput, EventsAreInTheFileToo) {
  TrialLab lab("hpsearch report 1 loss=0.5 --checkpoint=e1");
  lab.start();
  EXPECT_EQ(lab.end().code, 0);
  EXPECT_EQ(lab.reports.at(0).checkpoint, "e1");
  EXPECT_NE(lab.file(lab.folder().events()).find(R"("step":1,"metrics":{"loss":0.5},"checkpoint":"e1"})"),
            std::string::npos);
}

}  // namespace
}  // namespace hpsearch::testing
