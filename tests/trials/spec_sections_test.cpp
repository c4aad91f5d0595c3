#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

std::string with_resource(const std::string& search) {
  return space_text(R"({"resource": {"name": "epoch", "min": 2, "max": 27}, "search": )" + search + "}");
}

TEST(SpecSearch, SamplersToComeAreNamed) {
  EXPECT_EQ(fault_of(space_text(R"({"search": {"sampler": "tpe"}})")),
            "search.sampler: the sampler \"tpe\" is not available yet; available: auto, random, grid");
  EXPECT_EQ(fault_of(with_resource(R"({"pruner": {"type": "median"}})")),
            "search.pruner.type: the pruner \"median\" is not available yet; available: none, asha");
  expect_part(fault_of(space_text(R"({"search": {"sampler": "gird"}})")), "did you mean \"grid\"?");
  expect_part(fault_of(space_text(R"({"search": {"sampler": {}}})")), "search.sampler.type: missing");
  expect_part(fault_of(space_text(R"({"search": {"sampler": 3}})")), "must be the name of a sampler");
}

TEST(SpecSearch, OptionsBelongToTheirType) {
  EXPECT_EQ(faults_of(space_text(R"({"search": {"sampler": {"type": "grid", "points": 5}}})")), "");
  expect_part(fault_of(space_text(R"({"search": {"sampler": {"type": "random", "points": 5}}})")), "unknown key");
  expect_part(fault_of(space_text(R"({"search": {"sampler": {"type": "grid", "points": 0}}})")), "from 1 to 1000000, not 0");
}

TEST(SpecSearch, AshaNeedsAResource) {
  expect_part(fault_of(space_text(R"({"search": {"pruner": "asha"}})")), "asha needs to know what a trial spends");
}

TEST(SpecSearch, LaddersMustRise) {
  const auto fault = [](const std::string& options) {
    return fault_of(with_resource(R"({"pruner": {"type": "asha", )" + options + "}}"));
  };
  EXPECT_EQ(fault(R"("eta": 2.5, "min": 3, "n_min": 4, "brackets": 1, "promote_rounding": "ceil", "milestone": "exact")"), "");
  EXPECT_EQ(fault(R"("levels": [1, 3, 27])"), "");
  expect_part(fault(R"("eta": 1)"), "1 is not above 1");
  expect_part(fault(R"("min": 28)"), "28 is above resource.max, 27");
  expect_part(fault(R"("levels": [1, 3, 3])"), "3 is not above the level before it, 3");
  expect_part(fault(R"("levels": [1, 28])"), "28 is above resource.max, 27");
  expect_part(fault(R"("levels": [0])"), "must be a whole number of at least 1, not 0");
  expect_part(fault(R"("levels": [])"), "must not be empty");
  expect_part(fault(R"("levels": [1], "eta": 3)"), "does not go with \"levels\"");
  expect_part(fault(R"("brackets": 2)"), "not available yet");
  expect_part(fault(R"("variant": "pause")"), "is not one of \"promote\", \"stop\"");
  expect_part(fault(R"("n_min": 0)"), "of at least 1, not 0");
}

TEST(SpecSearch, PromotionWithoutCheckpointsIsAWarning) {
  const StudySpec spec = spec_of(with_resource(R"({"pruner": {"type": "asha", "variant": "promote"}})"));
  ASSERT_EQ(spec.warnings.size(), 1u);
  expect_part(spec.warnings[0], "promoted trials start anew");
}

TEST(SpecSearch, SeedsAreUnsigned64Bits) {
  EXPECT_EQ(spec_of(space_text(R"({"search": {"seed": 0}})")).search.seed, 0u);
  for (const char* seed : {"-1", "1.5", "\"7\""})
    expect_part(fault_of(space_text(R"({"search": {"seed": )" + std::string(seed) + "}}")), "from 0 to 18446744073709551615");
}

TEST(SpecResource, BoundsAreWholeAndOrdered) {
  const auto fault = [](const std::string& resource) { return fault_of(space_text(R"({"resource": )" + resource + "}")); };
  expect_part(fault(R"({"name": "epoch", "min": 9, "max": 3})"), "resource.min: 9 is above \"max\", 3");
  expect_part(fault(R"({"name": "epoch", "max": 2.5})"), "must be a whole number from 1");
  expect_part(fault(R"({"name": "epoch", "min": 0, "max": 3})"), "must be a whole number from 1");
  expect_part(fault(R"({"name": "epoch"})"), "resource.max: missing");
  expect_part(fault(R"({"name": "epoch", "min": 3})"), "resource.max: missing");
  expect_part(fault(R"({"max": 3})"), "resource.name: missing");
}

TEST(SpecMetrics, OneGoalAndLimits) {
  const auto fault = [](const std::string& metrics) { return fault_of(space_text(R"({"metric": null, "metrics": )" + metrics + "}")); };
  EXPECT_EQ(fault(R"([{"name": "a", "goal": "maximize"}, {"name": "b", "at_least": 1, "at_most": 2}])"), "");
  expect_part(fault(R"([{"name": "a"}])"), "metrics[0].goal: missing");
  expect_part(fault(R"([{"name": "a", "goal": "maximize"}, {"name": "b"}])"), "metrics[1]: needs \"at_most\" or \"at_least\"");
  expect_part(fault(R"([{"name": "a", "goal": "maximize"}, {"name": "b", "goal": "minimize"}])"), "several goals are not available");
  expect_part(fault(R"([{"name": "a", "goal": "maximize"}, {"name": "a", "at_most": 1}])"), "listed twice");
  expect_part(fault(R"([{"name": "step", "goal": "maximize"}])"), "has a meaning in reports");
  expect_part(fault(R"([])"), "must not be empty");
  expect_part(fault_of(space_text(R"({"metrics": [{"name": "a", "goal": "maximize"}]})")), "do not go together");
}

TEST(SpecLimits, SizesAndTimesHaveUnits) {
  EXPECT_EQ(spec_of(space_text(R"({"limits": {"disk": "500 MiB"}})")).limits.disk_bytes, 524288000);
  EXPECT_EQ(spec_of(space_text(R"({"limits": {"disk": 1000}})")).limits.disk_bytes, 1000);
  for (const char* disk : {"20 G", "GB", "-1GB", "", "1e300GB", "0"})
    expect_part(fault_of(space_text(R"({"limits": {"disk": ")" + std::string(disk) + "\"}}")), "must be a size");
  expect_part(fault_of(space_text(R"({"limits": {"time": "2 hours"}})")), "must be a time, as \"90s\"");
  expect_part(fault_of(space_text(R"({"limits": {"time": 0}})")), "must be a time");
  expect_part(fault_of(space_text(R"({"limits": {"trials": "10"}})")), "\"10\" is text; write 10 without quotes");
  expect_part(fault_of(space_text(R"({"limits": {"trials": 0}})")), "limits.trials: must be a whole number from 1");
  expect_part(fault_of(space_text(R"({"limits": {"gpu_hours": 0}})")), "must be a number above 0");
}

TEST(SpecTrial, ValuesAreChecked) {
  const auto fault = [](const std::string& trial) { return fault_of(space_text(R"({"trial": {)" + trial + "}}")); };
  EXPECT_EQ(fault(R"("gpus": 2)"), "");
  EXPECT_EQ(fault(R"("gpus": 0)"), "");
  expect_part(fault(R"("gpus": 1.5)"), "a whole number of GPUs");
  expect_part(fault(R"("gpus": "two")"), "\"auto\"");
  expect_part(fault(R"("cpus": 0)"), "above 0");
  expect_part(fault(R"("retries": -1)"), "from 0");
  expect_part(fault(R"("keep_checkpoints": 0)"), "from 1");
  expect_part(fault(R"("retry_on": [0])"), "from 1 to 255");
  expect_part(fault(R"("env": {"A": 1})"), "must be text in double quotes, not 1");
  expect_part(fault(R"("env": {"A B": "1"})"), "is not the name of an environment variable");
  expect_part(fault(R"("env": {"HPSEARCH_SEED": "1"})"), "set by hpsearch");
  expect_part(fault(R"("cwd": "here")"), "is not one of \"space_file\", \"trial\"");
  expect_part(fault(R"("checkpoint": 1)"), "must be true or false, not 1");
  expect_part(fault(R"("timeout": "1h")"), "did you mean \"limits.trial_time\"?");
}

TEST(SpecHosts, OnlyLocalOnesAreAvailable) {
  const auto fault = [](const std::string& hosts) { return fault_of(space_text(R"({"hosts": )" + hosts + "}")); };
  expect_part(fault(R"([{"ssh": "lab1"}])"), "ssh hosts are not available yet");
  expect_part(fault(R"([{"slurm": {}}])"), "slurm hosts are not available yet");
  expect_part(fault(R"([{"slots": 2}])"), "hosts[0].local: missing");
  expect_part(fault(R"([{"local": false}])"), "must be true");
  expect_part(fault(R"([{"local": true, "slots": 0}])"), "from 1");
  expect_part(fault(R"([{"local": true}, {"local": true}])"), "has the name \"local\" too");
  expect_part(fault("[]"), "must not be empty");
  expect_part(fault("3"), "must be a list");
}

TEST(SpecCollect, PatternsHaveANameForEachGroup) {
  const auto fault = [](const std::string& rule) { return fault_of(space_text(R"({"collect": [)" + rule + "]}")); };
  EXPECT_EQ(fault(R"j({"stdout": "epoch (\\d+) .*acc (\\S+)", "as": ["step", "acc"]})j"), "");
  expect_part(fault(R"j({"stdout": "acc (\\S+)", "as": ["step", "acc"]})j"), "names 2 groups, the regular expression has 1");
  expect_part(fault(R"({"stdout": "acc (", "as": ["acc"]})"), "is not a regular expression");
  expect_part(fault(R"j({"stdout": "(a)", "as": ["step"]})j"), "must name a metric");
  expect_part(fault(R"j({"stdout": "(a)(b)", "as": ["x", "x"]})j"), "named twice");
  expect_part(fault(R"({"as": ["x"]})"), "needs \"stdout\" or \"stderr\"");
  expect_part(fault(R"j({"stdout": "(a)", "stderr": "(a)", "as": ["x"]})j"), "one of them");
  expect_part(fault(R"({"stdout": ")" + std::string(501, '(') + R"(", "as": ["x"]})"), "at most 500");
  expect_part(fault(R"({"stdout": ")" + std::string(500, '(') + R"(", "as": ["x"]})"), "is not a regular expression");
}

}  // namespace
}  // namespace hpsearch
