#include "search/grid_sampler.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/search/study_texts.h"
#include "tests/support/scripted_study.h"
#include "trials/user_error.h"

namespace hpsearch::testing {
namespace {

std::string grid_text(const std::string& params, const std::string& constraints = "[]",
                      const std::string& sampler = R"("grid")") {
  StudyText study;
  study.sampler = sampler;
  study.params = params;
  study.constraints = constraints;
  return study.text();
}

// Everything the grid gives, at most `most` points.
std::vector<std::string> points(ScriptedStudy& study, std::size_t most = 1000) {
  std::vector<std::string> result;
  while (result.size() < most && study.suggest()) result.push_back(study.study().trials().back().suggestion.params.dump());
  return result;
}

std::vector<std::string> points(const std::string& space) {
  ScriptedStudy study(space);
  return points(study);
}

using Words = std::vector<std::string>;

TEST(GridSampler, LastParameterTurnsFastest) {
  EXPECT_EQ(points(grid_text(R"({"a": {"type": "int", "low": 1, "high": 2}, "f": 0, "b": ["x", "y"]})")),
            (Words{R"({"a":1,"f":0,"b":"x"})", R"({"a":1,"f":0,"b":"y"})", R"({"a":2,"f":0,"b":"x"})",
                   R"({"a":2,"f":0,"b":"y"})"}));
}

TEST(GridSampler, ChoicesKeepTheirOrderAndType) {
  EXPECT_EQ(points(grid_text(R"({"v": [null, true, false, 2, "2", "", [64, 32], "a b"]})")),
            (Words{R"({"v":null})", R"({"v":true})", R"({"v":false})", R"({"v":2})", R"({"v":"2"})", R"({"v":""})",
                   R"({"v":[64,32]})", R"({"v":"a b"})"}));
}

TEST(GridSampler, FloatsHaveEvenLevelsWithBothEnds) {
  const std::string sampler = R"({"type": "grid", "points": 3})";
  EXPECT_EQ(points(grid_text(R"({"x": {"type": "float", "low": -1, "high": 1}})", "[]", sampler)),
            (Words{R"({"x":-1.0})", R"({"x":0.0})", R"({"x":1.0})"}));
  EXPECT_EQ(points(grid_text(R"({"x": {"type": "float", "low": 0, "high": 1}})")).size(), 10u);
  EXPECT_EQ(points(grid_text(R"({"x": {"type": "float", "low": 0, "high": 1, "step": 0.25}})")).size(), 5u);
  const auto logs = points(grid_text(R"({"x": {"type": "float", "low": 0.01, "high": 1, "log": true}})", "[]", sampler));
  ASSERT_EQ(logs.size(), 3u);
  EXPECT_EQ(logs[0], R"({"x":0.01})");
  EXPECT_EQ(logs[2], R"({"x":1.0})");
}

TEST(GridSampler, LogIntegersTakeEveryValue) {
  EXPECT_EQ(points(grid_text(R"({"x": {"type": "int", "low": 1, "high": 40, "log": true}})")).size(), 40u);
}

TEST(GridSampler, EachActiveConfigurationOnce) {
  const auto given = points(grid_text(R"({"o": ["sgd", "adam"],
      "m": {"type": "int", "low": 1, "high": 3, "when": {"o": "sgd"}}, "l": {"type": "int", "low": 1, "high": 2},
      "w": {"type": "int", "low": 7, "high": 8, "when": {"l": {"at_least": 2}}}})"));
  EXPECT_EQ(given.size(), 3u * 3 + 3);
  EXPECT_EQ(std::set(given.begin(), given.end()).size(), given.size());
  EXPECT_EQ(given.front(), R"({"o":"sgd","m":1,"l":1})");
  EXPECT_EQ(given.back(), R"({"o":"adam","l":2,"w":8})");
}

TEST(GridSampler, ConstraintsCutPointsAway) {
  EXPECT_EQ(points(grid_text(R"({"a": {"type": "int", "low": 1, "high": 3}, "b": {"type": "int", "low": 1, "high": 3}})",
                             R"(["a < b"])")),
            (Words{R"({"a":1,"b":2})", R"({"a":1,"b":3})", R"({"a":2,"b":3})"}));
}

TEST(GridSampler, SparseConstraintsAreFoundByCuttingEarly) {
  const auto given = points(grid_text(R"({"a": {"type": "int", "low": 1, "high": 1000},
      "b": {"type": "int", "low": 1, "high": 1000}, "c": {"type": "int", "low": 1, "high": 1000}})",
                                      R"(["a == 999", "b == 998", "c >= 999"])"));
  EXPECT_EQ(given, (Words{R"({"a":999,"b":998,"c":999})", R"({"a":999,"b":998,"c":1000})"}));
}

TEST(GridSampler, ResumesWithoutRepeats) {
  const std::string space = grid_text(R"({"v": [null, true, 2, "2", [64, 32]], "w": [1, 2]})");
  ScriptedStudy study(space);
  Words given = points(study, 4);
  Study resumed;
  const auto sampler = make_sampler(study.spec(), 1);
  for (const Event& event : study.log()) {
    resumed.apply(event);
    sampler->apply(event);
  }
  const auto next = std::get<Suggestion>(sampler->suggest(resumed, 5));
  EXPECT_EQ(next.params.dump(), R"({"v":2,"w":1})");
  EXPECT_EQ(next.reason, "grid point 5");
  for (const std::string& point : points(study)) given.push_back(point);
  EXPECT_EQ(given, points(space));
}

TEST(GridSampler, EnqueuedPointsDoNotMoveIt) {
  ScriptedStudy study(grid_text(R"({"x": [1, 2, 3]})"));
  TrialSuggested event;
  event.trial = 1;
  event.suggestion.params = Json{{"x", 3}};
  event.suggestion.method = "enqueued";
  study.apply(Decision(event));
  EXPECT_EQ(points(study), (Words{R"({"x":1})", R"({"x":2})", R"({"x":3})"}));
}

TEST(GridSampler, HugeRangesDoNotOverflow) {
  ScriptedStudy study(grid_text(R"({"a": {"type": "int", "low": -9223372036854775808, "high": 9223372036854775807},
      "b": {"type": "int", "low": 9223372036854775806, "high": 9223372036854775807}})"));
  EXPECT_EQ(points(study, 3), (Words{R"({"a":-9223372036854775808,"b":9223372036854775806})",
                                     R"({"a":-9223372036854775808,"b":9223372036854775807})",
                                     R"({"a":-9223372036854775807,"b":9223372036854775806})"}));
}

TEST(GridSampler, EndsAtTheLastOfAllIntegers) {
  ScriptedStudy study(grid_text(R"({"a": {"type": "int", "low": -9223372036854775808, "high": 9223372036854775807}})"));
  TrialSuggested event;
  event.trial = 1;
  event.suggestion.params = Json{{"a", 9223372036854775807}};
  event.suggestion.method = "grid";
  study.apply(Decision(event));
  EXPECT_FALSE(study.suggest());
}

}  // namespace
}  // namespace hpsearch::testing
