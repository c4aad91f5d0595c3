#include <limits>

#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

std::string fault_of_param(const std::string& param) { return fault_of(params_text("{\"l1\": " + param + "}")); }

TEST(SpecParams, Sp1LogRangesNeedPositiveBounds) {
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":0,"high":10,"log":true})"),
            "params.l1.low: 0 is not above 0, as \"log\" needs it");
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":-3,"high":10,"log":true})"),
            "params.l1.low: -3 is not above 0, as \"log\" needs it");
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":5,"high":2,"log":true})"), "params.l1.low: 5 is above \"high\", 2");
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":"1e-5","high":2})"),
            "params.l1.low: must be a number; \"1e-5\" is text; write 1e-5 without quotes");
  EXPECT_EQ(fault_of_param(R"({"type":"int","low":0,"high":8,"log":true})"),
            "params.l1.low: 0 is below 1, the least that \"log\" takes");
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":1e-5,"high":0.1,"log":true})"), "");
}

TEST(SpecParams, Sp3IntegersAreExactIn64Bits) {
  const StudySpec spec = spec_of(params_text(R"({"seed":{"type":"int","low":9007199254740993,"high":9007199254740999},
      "all":{"type":"int","low":-9223372036854775808,"high":9223372036854775807}})",
                                             R"({"command": ["sh", "{seed}", "{all}"]})"));
  EXPECT_EQ(std::get<IntDomain>(spec.space.find("seed")->domain).low, 9007199254740993);
  EXPECT_EQ(std::get<IntDomain>(spec.space.find("all")->domain).low, std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(spec.warnings.empty());
}

TEST(SpecParams, Sp3LargerIntegersAndFractionsAreRefused) {
  const std::string range = "from -9223372036854775808 to 9223372036854775807";
  std::string text = params_text(R"({"seed":{"type":"int","low":1,"high":2}})");
  text.replace(text.find("\"high\":2") + 7, 1, "1" + std::string(64, '0'));
  expect_part(faults_of(text), "params.seed.high: 1000");
  expect_part(faults_of(text), range);
  EXPECT_EQ(faults_of(text).find('\n'), std::string::npos) << "one message for one fault";
  EXPECT_EQ(fault_of_param(R"({"type":"int","low":1.5,"high":2})"),
            "params.l1.low: must be a whole number " + range + ", not 1.5");
  expect_part(fault_of_param(R"({"type":"int","low":1,"high":9223372036854775808})"), "params.l1.high: must be a whole number " + range);
  EXPECT_EQ(fault_of_param(R"({"type":"int","low":1,"high":1e6})"), "");
}

TEST(SpecParams, Sp5ChoicesKeepTypeAndValue) {
  const StudySpec spec = spec_of(params_text(R"({"v":[null,true,false,2,"2","",[64,32],"a b"]})"));
  EXPECT_EQ(Json(std::get<ChoiceDomain>(spec.space.params[0].domain).choices).dump(),
            R"([null,true,false,2,"2","",[64,32],"a b"])");
}

TEST(SpecParams, Sp5EmptyAndRepeatedChoicesAreRefused) {
  EXPECT_EQ(fault_of_param("[]"), "params.l1: a list of choices must not be empty");
  EXPECT_EQ(fault_of_param(R"(["a","a"])"), "params.l1[1]: the choice \"a\" is given twice");
  EXPECT_EQ(fault_of_param(R"([{"a": 1, "b": 2}, {"b": 2, "a": 1.0}])"),
            "params.l1[1]: the choice {\"b\":2,\"a\":1.0} is given twice");
  EXPECT_EQ(fault_of_param("[0, -0.0]"), "params.l1[1]: 0 and -0.0 are the same number; keep one");
  EXPECT_EQ(fault_of_param("[10000000000000000, 1e16]"), "params.l1[1]: 10000000000000000 and 1e+16 are the same number; keep one");
  EXPECT_EQ(fault_of_param("[1, 1.0]"), "params.l1[1]: 1 and 1.0 are the same number; keep one");
  EXPECT_EQ(fault_of_param("[1, true, \"1\"]"), "");
}

TEST(SpecParams, TypesOfOtherToolsAreSuggested) {
  expect_part(fault_of_param(R"({"type":"loguniform","low":1,"high":2})"), "did you mean \"float\" with \"log\": true?");
  expect_part(fault_of_param(R"({"type":"double","low":1,"high":2})"), "did you mean \"float\"?");
  expect_part(fault_of_param(R"({"type":"flaot","low":1,"high":2})"), "did you mean \"float\"?");
  expect_part(fault_of_param(R"({"type":"matrix"})"), "unknown type \"matrix\"; known: float");
  expect_part(fault_of_param(R"({"low":1,"high":2})"), "params.l1.type: missing");
  EXPECT_EQ(fault_of_param(R"({"type":"categorical","choices":[1,2]})"), "");
}

TEST(SpecParams, BoundsAreRequiredAndMayBeEqual) {
  expect_part(fault_of_param(R"({"type":"float","low":1})"), "params.l1.high: missing");
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":1,"high":1})"), "");
  expect_part(fault_of_param(R"({"type":"float","low":-1.7e308,"high":1.7e308})"), "high - low is beyond a double");
}

TEST(SpecParams, StepsArePositiveAndNotLogarithmic) {
  EXPECT_EQ(fault_of_param(R"({"type":"float","low":0,"high":1,"step":0.1})"), "");
  expect_part(fault_of_param(R"({"type":"float","low":0,"high":1,"step":0})"), "must be a number above 0, not 0");
  expect_part(fault_of_param(R"({"type":"float","low":0,"high":1,"step":1e-300})"), "makes more than 2^53 values");
  expect_part(fault_of_param(R"({"type":"int","low":1,"high":9,"step":2,"log":true})"), "\"step\" does not go with \"log\"");
}

TEST(SpecParams, Cl3OddNamesAreAllowed) {
  const std::string name = "a.very/long name with blanks and \xE6\xBC\xA2\xE5\xAD\x97 0123456789 0123456789 0123456789";
  EXPECT_EQ(faults_of(params_text("{\"" + name + "\": {\"type\":\"float\",\"low\":0,\"high\":1}}")), "");
  expect_part(fault_of(params_text("{\"" + name + "\": []}")), "params[\"a.very/long name");
  expect_part(fault_of(params_text(R"({"": 1})")), "a parameter's name must not be empty");
  expect_part(fault_of(params_text(R"({"a\u0000b": 1})")), "no control characters");
  expect_part(fault_of(params_text(R"({"args": 1})")), "{args} has a meaning in commands");
  expect_part(fault_of(params_text(R"({"a": ["x\u0000"]})")), "no program can be given it");
}

TEST(SpecParams, ThereMustBeOne) {
  EXPECT_EQ(fault_of(params_text("{}")), "params: there must be at least one parameter");
  expect_part(fault_of(params_text("[1]")), "params: must be an object of parameters");
}

TEST(SpecWhen, RefersToPossibleValuesOfParametersAbove) {
  const auto fault = [](const std::string& when) {
    return fault_of(params_text(R"({"opt": ["sgd", "adam"], "n": {"type": "int", "low": 1, "high": 4},
        "m": {"type": "float", "low": 0, "high": 1, "when": )" + when + R"(}, "z": [1, 2]})"));
  };
  EXPECT_EQ(fault(R"({"opt": "sgd", "n": {"at_least": 2, "at_most": 3}})"), "");
  EXPECT_EQ(fault(R"({"opt": {"in": ["sgd", "adam"]}})"), "");
  expect_part(fault(R"({"opt": "sdg"})"), "params.m.when.opt: \"sdg\" is not among the choices");
  expect_part(fault(R"({"opt": ["sgd", "adam"]})"), "several values are written {\"in\": [...]}");
  expect_part(fault(R"({"n": 9})"), "9 is above 4");
  expect_part(fault(R"({"n": {"at_least": 5}})"), "no value of n is so");
  expect_part(fault(R"({"opt": {"at_least": 5}})"), "goes with numbers only");
  expect_part(fault(R"({"n": {"at_least": 3, "at_most": 2}})"), "above \"at_most\"");
  expect_part(fault(R"({"n": {"in": [1], "at_most": 2}})"), "\"in\" goes alone");
  expect_part(fault(R"({"n": {"min": 2}})"), "did you mean \"at_least\"?");
  expect_part(fault(R"({"n": {}})"), "needs \"in\"");
  expect_part(fault(R"({"z": 1})"), "move \"z\" up");
  expect_part(fault(R"({"m": 1})"), "move \"m\" up");
  expect_part(fault(R"({"optt": 1})"), "no parameter is called \"optt\"; did you mean \"opt\"?");
  expect_part(fault("{}"), "must name a parameter");
  expect_part(fault("3"), "must be an object");
}

TEST(SpecConstraints, Sp6FaultsShowRuleAndPlace) {
  const auto fault = [](const std::string& rule) {
    return fault_of(params_text(R"({"a": [1, 2], "b": [1, 2]})", R"({"constraints": [")" + rule + "\"]}"));
  };
  EXPECT_EQ(fault("a <= b"), "");
  EXPECT_EQ(fault("a <= c"), "constraints[0]: \"a <= c\": column 6: no parameter is called \"c\"");
  EXPECT_EQ(fault("a <= "), "constraints[0]: \"a <= \": column 6: the rule ends where a value is expected");
}

TEST(SpecEnqueue, PointsMayBePartial) {
  const auto fault = [](const std::string& point) {
    return fault_of(params_text(R"({"opt": ["sgd", "adam"], "m": {"type": "float", "low": 0, "high": 1, "when": {"opt": "sgd"}}})",
                                R"({"enqueue": [)" + point + "]}"));
  };
  EXPECT_EQ(fault(R"({"m": 0.5})"), "");
  EXPECT_EQ(fault(R"({"opt": "adam", "m": 0.5})"), "enqueue[0]: m is not active here: only when opt is \"sgd\"");
  EXPECT_EQ(fault(R"({"m": 2})"), "enqueue[0]: m: 2 is above 1");
  expect_part(fault(R"({"mm": 2})"), "no parameter is called \"mm\"");
}

}  // namespace
}  // namespace hpsearch
