#include <gtest/gtest.h>

#include "search/encoding.h"
#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"

namespace hpsearch::testing {
namespace {

struct SamplerCase {
  std::string name, sampler, params, constraints = "[]";
  std::string space() const {
    StudyText study;
    study.sampler = sampler;
    study.params = params;
    study.constraints = constraints;
    return study.text();
  }
};

void PrintTo(const SamplerCase& c, std::ostream* out) { *out << c.name; }

class SamplerContract : public ::testing::TestWithParam<SamplerCase> {
 protected:
  static constexpr int kTrials = 60;

  static std::string shown(const SamplerAnswer& answer) {
    const auto* s = std::get_if<Suggestion>(&answer);
    if (!s) return std::holds_alternative<SamplerWait>(answer) ? "wait" : "exhausted";
    TrialSuggested event;
    event.suggestion = *s;
    return event_body(Decision(event)).dump();
  }

  ScriptedStudy study_{GetParam().space(), 11};
};

TEST_P(SamplerContract, EveryPointIsOfTheSpace) {
  for (int i = 0; i < kTrials && study_.suggest(); ++i) {
    const Suggestion& s = study_.study().trials().back().suggestion;
    EXPECT_EQ(study_.spec().space.fault(s.params), std::nullopt) << s.params;
  }
  EXPECT_FALSE(study_.study().trials().empty());
}

TEST_P(SamplerContract, ParametersKeepTheOrderOfTheSpace) {
  while (study_.study().trials().size() < kTrials && study_.suggest()) {
    const Json& params = study_.study().trials().back().suggestion.params;
    EXPECT_EQ(params.dump(), study_.spec().space.completed(params).dump());
  }
}

TEST_P(SamplerContract, CoordinatesAreThoseOfTheValues) {
  while (study_.study().trials().size() < kTrials && study_.suggest()) {
    const Suggestion& s = study_.study().trials().back().suggestion;
    EXPECT_EQ(s.unit, encoded(study_.spec().space, s.params));
    for (const auto& coordinate : s.unit) EXPECT_TRUE(!coordinate || (*coordinate >= 0 && *coordinate <= 1));
    EXPECT_FALSE(s.method.empty());
    EXPECT_FALSE(s.reason.empty());
  }
}

TEST_P(SamplerContract, AskingChangesNothing) {
  study_.suggest();
  const std::string before = shown(study_.sampler().suggest(study_.study(), 2));
  for (int other : {2, 5, 3, 40}) study_.sampler().suggest(study_.study(), other);
  EXPECT_EQ(shown(study_.sampler().suggest(study_.study(), 2)), before);
}

TEST_P(SamplerContract, StateIsAFoldOfTheLog) {
  for (int i = 0; i < 10; ++i) study_.suggest();
  Study study;
  const auto sampler = make_sampler(study_.spec(), 11);
  for (const Event& event : study_.log()) {
    study.apply(event);
    sampler->apply(event);
  }
  const int next = static_cast<int>(study.trials().size()) + 1;
  EXPECT_EQ(shown(sampler->suggest(study, next)), shown(study_.sampler().suggest(study_.study(), next)));
}

TEST_P(SamplerContract, TheSameSeedGivesTheSameStudy) {
  ScriptedStudy twin(GetParam().space(), 11);
  for (int i = 0; i < kTrials; ++i) {
    ASSERT_EQ(twin.suggest(), study_.suggest());
    const Study &a = study_.study(), &b = twin.study();
    EXPECT_EQ(a.trials().back().suggestion.params.dump(), b.trials().back().suggestion.params.dump());
  }
}

const char* const kFlat = R"({"lr": {"type": "float", "low": 1e-5, "high": 0.1, "log": true},
  "width": {"type": "int", "low": 4, "high": 64, "log": true}, "drop": {"type": "float", "low": 0, "high": 0.5, "step": 0.1},
  "kind": [null, true, 2, "2", [64, 32]], "fixed": "yes", "seed": {"type": "int", "low": -9223372036854775808, "high": 9223372036854775807}})";

const char* const kConditional = R"({"optimizer": ["sgd", "adam"],
  "momentum": {"type": "float", "low": 0.0, "high": 0.99, "when": {"optimizer": "sgd"}},
  "beta": {"type": "int", "low": 1, "high": 3, "when": {"optimizer": "adam"}}, "layers": {"type": "int", "low": 1, "high": 3},
  "width2": {"type": "int", "low": 2, "high": 3, "when": {"layers": {"at_least": 2}, "optimizer": "adam"}}})";

const char* const kTriple = R"({"a": {"type": "int", "low": 1, "high": 50}, "b": {"type": "int", "low": 1, "high": 50},
  "u": {"type": "float", "low": 0, "high": 1}})";

const char* const kRules = R"(["a <= b", "a * b <= 200"])";

INSTANTIATE_TEST_SUITE_P(
    Random, SamplerContract,
    ::testing::Values(SamplerCase{"flat", R"("random")", kFlat}, SamplerCase{"conditional", R"("random")", kConditional},
                      SamplerCase{"constrained", R"("random")", kTriple, kRules}, SamplerCase{"auto", R"("auto")", kFlat}));

INSTANTIATE_TEST_SUITE_P(
    Grid, SamplerContract,
    ::testing::Values(SamplerCase{"flat", R"("grid")", kFlat}, SamplerCase{"conditional", R"("grid")", kConditional},
                      SamplerCase{"constrained", R"({"type": "grid", "points": 3})", kTriple, kRules},
                      SamplerCase{"exhausted", R"("grid")", R"({"x": [1, 2, 3]})"}));

}  // namespace
}  // namespace hpsearch::testing
