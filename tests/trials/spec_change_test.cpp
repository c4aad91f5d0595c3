#include "trials/spec_change.h"

#include "tests/trials/spec_support.h"
#include "trials/study.h"

namespace hpsearch {
namespace {

const std::string kLr = R"("lr": {"type": "float", "low": 0.001, "high": 0.1})";
const std::string kKind = R"("kind": ["a", "b"])";

std::string params(const std::string& more) { return params_text("{" + kLr + ", " + kKind + more + "}"); }

SpecChange change(const std::string& was, const std::string& is) { return compare_specs(spec_of(was), spec_of(is)); }

std::string refusal(const std::string& was, const std::string& is) {
  const SpecChange found = change(was, is);
  return found.refusals.size() == 1 ? found.refusals[0] : std::to_string(found.refusals.size()) + " refusals";
}

TEST(SpecChange, ListsWhatDiffers) {
  const SpecChange found = change(space_text(), space_text(R"({"limits": {"trials": 9}})"));
  EXPECT_EQ(found.difference, Json::parse(R"([{"path": "limits.trials", "was": 5, "is": 9}])"));
  EXPECT_TRUE(found.refusals.empty());
  EXPECT_TRUE(change(space_text(), space_text()).empty());
}

TEST(SpecChange, RangesMayChangeAndChoicesBeAdded) {
  const std::string wider = params_text(R"({"lr": {"type": "float", "low": 0.0001, "high": 0.01}, "kind": ["a", "b", "c"]})");
  EXPECT_TRUE(change(params(""), wider).refusals.empty());
  EXPECT_EQ(refusal(wider, params("")), "params.kind: only ranges may change and choices be added");
}

TEST(SpecChange, WhatWouldNotCompareIsRefused) {
  EXPECT_EQ(refusal(space_text(), space_text(R"({"metric": {"goal": "maximize"}})")),
            "metric.goal: the study's is minimize, the file says maximize");
  EXPECT_EQ(refusal(space_text(), space_text(R"({"resource": {"name": "epoch", "max": 9}})")).substr(0, 8), "2 refusa");
  EXPECT_EQ(refusal(params(""), params_text("{" + kLr + "}")), "params.kind: is gone; trials of the study have it");
  const std::string log = params_text(R"({"lr": {"type": "float", "low": 0.001, "high": 0.1, "log": true}, "kind": ["a", "b"]})");
  EXPECT_EQ(refusal(params(""), log), "params.lr: only ranges may change and choices be added");
}

TEST(SpecChange, ANewParameterSaysWhatItWas) {
  EXPECT_EQ(refusal(params(""), params(R"(, "n": [1, 2])")),
            "params.n: is new; say with \"was\": VALUE what the trials so far had");
  EXPECT_TRUE(change(params(""), params(R"(, "n": {"choices": [1, 2], "was": 2})")).refusals.empty());
  EXPECT_TRUE(change(params(""), params(R"(, "n": 3)")).refusals.empty());
}

TEST(SpecChange, WhatItWasIsAValueOfTheParameter) {
  EXPECT_EQ(fault_of(params(R"(, "n": {"choices": [1, 2], "was": 3})")), "params.n.was: 3 is not among the choices [1,2]");
  EXPECT_EQ(fault_of(params(R"(, "n": {"type": "int", "low": 1, "high": 4, "was": 5})")), "params.n.was: 5 is above 4");
}

TEST(SpecChange, EarlierTrialsGetWhatNewParametersWere) {
  const StudySpec was = spec_of(params("")), is = spec_of(params(
      R"(, "n": {"type": "float", "low": 0, "high": 4, "was": 2}, "m": {"type": "int", "low": 0, "high": 9, "when": {"kind": "a"}, "was": 7}, "f": true)"));
  const auto carried = [&](const char* values) { return is.space.carried_over(Json::parse(values), was.space).dump(); };
  EXPECT_EQ(carried(R"({"lr": 0.5, "kind": "a"})"), R"({"lr":0.5,"kind":"a","n":2.0,"m":7,"f":true})");
  EXPECT_EQ(carried(R"({"lr": 0.5, "kind": "b"})"), R"({"lr":0.5,"kind":"b","n":2.0,"f":true})");

  Study study;
  study.apply({1, Time{}, Fact(StudyCreated{"id", 1, "s", "", was.document})});
  study.apply({2, Time{}, Decision(TrialSuggested{1, {Json::parse(R"({"lr": 0.5, "kind": "b"})"), {}, "random", "", {}}, 0, std::nullopt})});
  study.apply({3, Time{}, Fact(SpecChanged{is.document, "", Json::array()})});
  EXPECT_EQ(study.trial(1).suggestion.params.dump(), R"({"lr":0.5,"kind":"b","n":2.0,"f":true})");
}

}  // namespace
}  // namespace hpsearch
