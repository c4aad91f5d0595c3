#include "search/random_sampler.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"

namespace hpsearch::testing {
namespace {

std::string random_text(const std::string& params, const std::string& constraints = "[]",
                        const std::string& limits = R"({"trials": 1000})") {
  StudyText study;
  study.params = params;
  study.constraints = constraints;
  study.limits = limits;
  return study.text();
}

Json value(const ScriptedStudy& study, int trial, const std::string& name) {
  return std::get<Suggestion>(study.sampler().suggest(study.study(), trial)).params.at(name);
}

TEST(RandomSampler, LogFloatsSpreadOverTheDecades) {
  const ScriptedStudy study(random_text(R"({"l1": {"type": "float", "low": 1e-5, "high": 1e-1, "log": true}})"));
  int low = 0;
  for (int trial = 1; trial <= 400; ++trial) low += value(study, trial, "l1").get<double>() < 1e-3;
  EXPECT_GE(low, 160);
  EXPECT_LE(low, 240);
}

TEST(RandomSampler, LargeIntegersAllAppearOddOnesToo) {
  const ScriptedStudy study(random_text(R"({"seed": {"type": "int", "low": 9007199254740993, "high": 9007199254740999}})"));
  std::set<std::string> seen;
  for (int trial = 1; trial <= 200; ++trial) seen.insert(value(study, trial, "seed").dump());
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_TRUE(seen.count("9007199254740993") && seen.count("9007199254740999"));
}

TEST(RandomSampler, AValueDependsOnlyOnParametersAbove) {
  const ScriptedStudy one(random_text(R"({"x": {"type": "float", "low": 0, "high": 1}})"));
  const ScriptedStudy two(random_text(R"({"x": {"type": "float", "low": 0, "high": 1}, "y": [1, 2, 3]})"));
  for (int trial = 1; trial <= 20; ++trial) EXPECT_EQ(value(one, trial, "x"), value(two, trial, "x"));
}

TEST(RandomSampler, AnInactiveParameterDoesNotMoveTheOthers) {
  const auto params = [](const std::string& when) {
    return R"({"o": ["a", "b"], "m": {"type": "float", "low": 0, "high": 1, "when": {"o": ")" + when +
           R"("}}, "x": {"type": "float", "low": 0, "high": 1}})";
  };
  const ScriptedStudy one(random_text(params("a"))), two(random_text(params("b")));
  for (int trial = 1; trial <= 20; ++trial) EXPECT_EQ(value(one, trial, "x"), value(two, trial, "x"));
}

TEST(RandomSampler, TrialsAndSeedsDiffer) {
  const std::string space = random_text(R"({"x": {"type": "float", "low": 0, "high": 1}})");
  const ScriptedStudy one(space, 1), two(space, 2);
  EXPECT_NE(value(one, 1, "x"), value(one, 2, "x"));
  EXPECT_NE(value(one, 1, "x"), value(two, 1, "x"));
}

TEST(RandomSampler, ImpossibleConstraintsExhaustIt) {
  ScriptedStudy study(random_text(R"({"a": {"type": "int", "low": 1, "high": 50}})", R"(["a > 90"])"));
  EXPECT_FALSE(study.suggest());
}

TEST(RandomSampler, WithoutALimitItGivesAsManyTrialsAsThereAreConfigurations) {
  ScriptedStudy study(random_text(R"({"a": [1, 2, 3], "b": [1, 2]})", "[]", "{}"));
  int trials = 0;
  while (study.suggest()) ++trials;
  EXPECT_EQ(trials, 6);
}

}  // namespace
}  // namespace hpsearch::testing
