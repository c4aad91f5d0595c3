#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

TEST(SpecFaults, Cl4AllFaultsComeInOneGo) {
  const std::string faults = faults_of(R"({"metric":{"name":"loss","gaol":"minimize"},
 "params":{"opt":{"lr":{"type":"float","lwo":"1e-4","high":1e-1}},
           "n":{"type":"integer","low":1,"high":4},
           "d":{"type":"float","low":0,"high":1}},
 "command":"sh t.sh {x} {n}",
 "search":{"algo":"bayesian","trials":"10"}})");
  EXPECT_EQ(faults, R"(space.json:1: metric.gaol: unknown key; did you mean "goal"?
space.json:2: params.opt: a group one level too deep: parameters stand directly in "params" and have no groups
space.json:2: params.opt.lr.lwo: unknown key; did you mean "low"?
space.json:2: params.opt.lr.lwo: must be a number; "1e-4" is text; write 1e-4 without quotes
space.json:3: params.n.type: unknown type "integer"; did you mean "int"? (known: float, int, choice, categorical)
space.json:5: command: must be a list of arguments, not one text: write ["sh","t.sh","{x}","{n}"]
space.json:5: command: {x} is neither a parameter nor a setting
space.json:6: search.algo: unknown key; did you mean "sampler"?
space.json:6: search.trials: unknown key; did you mean "limits.trials"?; "10" is text; write 10 without quotes
space.json:6: search.algo: no sampler is called "bayesian"; did you mean "auto" or "gp"? (available: auto, random, grid; later: tpe, gp, sobol, cmaes))");
}

TEST(SpecFaults, Cl4SyntaxFaultsHaveLineAndColumn) {
  EXPECT_EQ(faults_of("{\"command\": [\"a\"],\n \"params\": {\"x\": [1, 2],}\n}"),
            "space.json:2:24: params.x: a comma after the last item");
  EXPECT_EQ(faults_of(""), "space.json:1:1: the file is empty");
  expect_part(faults_of("{\"params\": {\"x\": {\"low\": NaN}}}"),
              "space.json:1:26: params.x.low: NaN is not a JSON number");
}

TEST(SpecFaults, Cl4KeysGivenTwiceAreRefused) {
  std::string text = space_text();
  text.insert(1, "\"limits\": {\"trials\": 9},\n");
  EXPECT_EQ(faults_of(text).substr(0, 60), "space.json:2:129: limits: key given twice; first on line 1");
}

TEST(SpecFaults, Cl4CommentsAndAByteOrderMarkAreAccepted) {
  EXPECT_EQ(faults_of("\xEF\xBB\xBF// a\n" + space_text() + "/* b */"), "");
}

TEST(SpecFaults, DoubledKeysDoNotHideOtherFaults) {
  const std::string faults = faults_of("{\"command\": [\"a\"],\n\"command\": [\"b\"],\n\"metrik\": 1}");
  expect_part(faults, "space.json:2:1: command: key given twice");
  expect_part(faults, "space.json:3: metrik: unknown key; did you mean \"metric\"?");
}

TEST(SpecFaults, UnknownKeysAreFaultsEverywhere) {
  for (const char* patch : {R"({"banana": 1})", R"({"metric": {"banana": 1}})", R"({"params": {"lr": {"banana": 1}}})",
                            R"({"search": {"banana": 1}})", R"({"limits": {"banana": 1}})", R"({"trial": {"banana": 1}})",
                            R"({"hosts": [{"local": true, "banana": 1}]})", R"({"hosts": [{"slurm": {"banana": 1}}]})",
                            R"({"files": {"patterns": ["a"], "banana": 1}})",
                            R"({"hosts": [{"ssh": "{host}", "elastic": {"launch": ["a"], "release": ["a"], "banana": 1}}]})",
                            R"({"resource": {"name": "e", "max": 2, "banana": 1}})",
                            R"({"search": {"sampler": {"type": "grid", "banana": 1}}})",
                            R"j({"collect": [{"stdout": "(a)", "as": ["loss"], "banana": 1}]})j",
                            R"({"command": ["a", {"when": {"lr": 0.01}, "args": ["b"], "banana": 1}]})"})
    expect_part(fault_of(space_text(patch)), "banana: unknown key; known here: ");
}

TEST(SpecFaults, WordsOfOtherToolsAreUnderstood) {
  const auto advice = [](const std::string& patch) { return fault_of(space_text(patch)); };
  expect_part(advice(R"({"n_trials": 5})"), "n_trials: unknown key; did you mean \"limits.trials\"?");
  expect_part(advice(R"({"jobs": 5})"), "did you mean \"hosts[].slots\"?");
  expect_part(advice(R"({"direction": "minimize"})"), "did you mean \"metric.goal\"?");
  expect_part(advice(R"({"early_stop": "asha"})"), "did you mean \"search.pruner\"?");
  expect_part(advice(R"({"parameters": {}})"), "did you mean \"params\"?");
  expect_part(advice(R"({"metric": {"direction": "minimize", "goal": null}})"), "did you mean \"goal\"?");
  expect_part(advice(R"({"params": {"lr": {"min": 1}}})"), "params.lr.min: unknown key; did you mean \"low\"?");
  expect_part(advice(R"({"params": {"lr": {"max": 1}}})"), "did you mean \"high\"?");
  expect_part(advice(R"({"params": {"lr": {"loguniform": true}}})"), "did you mean \"log\"?");
  expect_part(advice(R"({"params": {"a": {"type": "choice", "values": [1, 2]}}})"), "did you mean \"choices\"?");
  expect_part(advice(R"({"params": {"lr": {"choices": [1, 2]}}})"), "\"choices\" does not go with this type");
  expect_part(advice(R"({"search": {"pruner": {"type": "asha", "reduction_factor": 3}}})"), "did you mean \"eta\"?");
}

TEST(SpecFaults, MisspeltKeysAreReadAsMeant) {
  EXPECT_EQ(fault_of(space_text(R"({"params": {"lr": {"low": null, "lwo": 0.01}}})")),
            "params.lr.lwo: unknown key; did you mean \"low\"?");
}

TEST(SpecFaults, StoredDocumentsHaveNoLines) {
  try {
    parse_spec_document(Json::parse(space_text(R"({"limits": {"trials": 0}})")), "study", "/");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "study: limits.trials: must be a whole number from 1 to 2147483647, not 0");
  }
}

}  // namespace
}  // namespace hpsearch
