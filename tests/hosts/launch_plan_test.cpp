#include "scheduler/hosts/launch_plan.h"

#include <gtest/gtest.h>

#include "tests/support/here.h"
#include "trials/study.h"

namespace hpsearch {
namespace {

constexpr const char* kSpace = R"({
  "study": "s", "command": ["train", "--epochs={epoch}", "--max={epoch.max}", "--seed={seed}", "{data}", "{args}"],
  "settings": {"data": "/d"},
  "metric": {"name": "loss", "goal": "minimize"}, "params": {"lr": {"type": "float", "low": 0, "high": 1}},
  "resource": {"name": "epoch", "min": 1, "max": 27}, "limits": {"trials": 3}, "trial": {"cpus": 2}})";

Study study_of(Json document) {
  Study study;
  study.apply({1, Time{}, Fact(StudyCreated{"id", 5, "s", "/folder", std::move(document)})});
  study.apply({2, Time{}, Fact(SessionStarted{"here", 1, {here(1)}, ""})});
  Suggestion suggestion;
  suggestion.params = {{"lr", 0.25}};
  study.apply({3, Time{}, Decision(TrialSuggested{1, suggestion, 0, 3.0})});
  return study;
}

const HostPlace kPlace{"/studies/s", "/folder", "", {}, Json::object()};

AttemptPlanned plan() {
  return {1, 2, "00ff", {"local", 0, {"GPU-7"}}, 3.0, 1, "e3"};
}

Json with_variant(const char* variant) {
  Json json = Json::parse(kSpace);
  json["search"] = {{"pruner", {{"type", "asha"}, {"variant", variant}}}};
  json["trial"]["checkpoint"] = true;
  return json;
}

TEST(LaunchPlan, WhereTrialsPauseTheLevelIsTheMilestone) {
  const Study study = study_of(with_variant("promote"));
  const Launch launch = launch_of(study, plan(), kPlace);
  const std::string seed = std::to_string(trial_seed(study, 1));
  EXPECT_EQ(launch.argv, (std::vector<std::string>{"train", "--epochs=3", "--max=27", "--seed=" + seed, "/d", "--lr=0.25"}));
  EXPECT_EQ(launch.resource, 3);
  EXPECT_EQ(launch.on_no_answer, NoAnswer::pause);
}

TEST(LaunchPlan, WhereTrialsAreStoppedTheyMustBeAbleToReachTheEnd) {
  const Launch launch = launch_of(study_of(with_variant("stop")), plan(), kPlace);
  EXPECT_EQ(launch.argv[1], "--epochs=27");
  EXPECT_EQ(launch.resource, 27);
  EXPECT_EQ(launch.milestone, 3);
  EXPECT_EQ(launch.on_no_answer, NoAnswer::go_on);
}

TEST(LaunchPlan, CarriesPlanAndSpec) {
  const Launch launch = launch_of(study_of(with_variant("promote")), plan(), kPlace);
  EXPECT_EQ(launch.id, "00ff");
  EXPECT_EQ(launch.devices, std::vector<std::string>{"GPU-7"});
  EXPECT_EQ(launch.threads, 2);
  EXPECT_EQ(launch.cwd, "/folder");
  EXPECT_EQ(launch.artifact_dir, "/studies/s/trials/0001/artifacts");
  EXPECT_EQ(launch.resume_dir, "/studies/s/trials/0001/attempts/1/checkpoint");
  EXPECT_EQ(launch.resume_checkpoint, "e3");
  EXPECT_EQ(launch.grace, Span(30'000));
  EXPECT_FALSE(launch.measured);
}

TEST(LaunchPlan, APerGpuTrialIsLaunchedSo) {
  Json json = Json::parse(kSpace);
  EXPECT_FALSE(launch_of(study_of(json), plan(), kPlace).per_gpu);
  json["trial"]["launch"] = "per_gpu";
  EXPECT_TRUE(launch_of(study_of(json), plan(), kPlace).per_gpu);
}

TEST(LaunchPlan, ATrialsSeedFitsAnIntAndDiffersByTrial) {
  const Study study = study_of(Json::parse(kSpace));
  EXPECT_LE(trial_seed(study, 1), 0x7fffffffu);
  EXPECT_NE(trial_seed(study, 1), trial_seed(study, 2));
  EXPECT_EQ(trial_seed(study, 1), trial_seed(study_of(Json::parse(kSpace)), 1));
}

}  // namespace
}  // namespace hpsearch
