#include "search/feasibility.h"

#include <gtest/gtest.h>

#include "tests/search/study_texts.h"

namespace hpsearch::testing {
namespace {

const char* const kPair = R"({"a": {"type": "int", "low": 1, "high": 50}, "b": {"type": "int", "low": 1, "high": 50}})";
const char* const kWithFloat = R"({"a": {"type": "int", "low": 1, "high": 50}, "b": {"type": "int", "low": 1, "high": 50},
                                   "u": {"type": "float", "low": 0, "high": 1}})";

std::optional<std::string> verdict(const std::string& params, const std::string& constraints,
                                   const std::string& sampler = R"("random")") {
  StudyText study;
  study.params = params;
  study.constraints = constraints;
  study.sampler = sampler;
  return infeasible(parse_spec(study.text(), "test.json"));
}

TEST(Feasibility, FindsNothingWrongWherePointsAreAllowed) {
  EXPECT_EQ(verdict(kPair, "[]"), std::nullopt);
  EXPECT_EQ(verdict(kPair, R"(["a <= b", "a * b <= 200"])"), std::nullopt);
  EXPECT_EQ(verdict(kWithFloat, R"(["a <= b", "a * b <= 200"])"), std::nullopt);
  EXPECT_EQ(verdict(kPair, R"(["a == 50", "b == 49"])"), std::nullopt) << "one point of 2,500";
}

TEST(Feasibility, NamesTheConstraintThatNeverHolds) {
  EXPECT_EQ(verdict(kPair, R"(["a <= b", "a > 90"])"),
            R"(no allowed point found in the whole space; constraint "a > 90" never held)");
  EXPECT_EQ(verdict(kWithFloat, R"(["a <= b", "a > 90"])"),
            R"(no allowed point found in 200000 draws; constraint "a > 90" never held)");
}

TEST(Feasibility, NamesConstraintsThatNeverMeet) {
  EXPECT_EQ(verdict(kPair, R"(["a < b", "b < a"])"),
            R"(no allowed point found in the whole space; the constraints "a < b", "b < a" were never met together)");
}

TEST(Feasibility, NamesEachOfSeveral) {
  EXPECT_EQ(verdict(kPair, R"(["a > 90", "a <= b", "b < 0"])"),
            R"(no allowed point found in the whole space; constraints "a > 90", "b < 0" never held)");
}

TEST(Feasibility, LooksAtTheLevelsThatAGridWouldTry) {
  EXPECT_EQ(verdict(kWithFloat, R"(["u > 0.1", "u < 0.9"])", R"({"type": "grid", "points": 2})"),
            R"(no allowed point found in the whole space; the constraints "u > 0.1", "u < 0.9" were never met together)");
  EXPECT_EQ(verdict(kWithFloat, R"(["u > 0.1", "u < 0.9"])"), std::nullopt);
}

}  // namespace
}  // namespace hpsearch::testing
