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

TEST(SpecLimits, CostsNeedAPrice) {
  const auto warnings = [](const std::string& patch) { return spec_of(space_text(patch)).warnings; };
  EXPECT_EQ(warnings(R"({"limits": {"gpu_hours": 5}})"), std::vector<std::string>{});
  EXPECT_EQ(warnings(R"({"limits": {"disk": 5}})"),
            std::vector<std::string>{"limits.disk: is not watched yet: it ends nothing"});
  EXPECT_EQ(warnings(R"({"limits": {"cost": 5}})"),
            std::vector<std::string>{"limits.cost: no host has a \"price_per_hour\": it ends nothing"});
  EXPECT_EQ(warnings(R"({"limits": {"cost": 5}, "hosts": [{"local": true}, {"ssh": "a", "price_per_hour": 0.5}]})"),
            std::vector<std::string>{});
  EXPECT_EQ(warnings(R"({"limits": {"cost": 5}, "hosts": "lab.json"})"), std::vector<std::string>{})
      << "said when that file is read";
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

TEST(SpecTrial, WhatAHostMustHave) {
  const auto fault = [](const std::string& trial) { return fault_of(space_text(R"({"trial": {)" + trial + "}}")); };
  const TrialSpec trial = spec_of(space_text(R"({"trial": {"memory": "4GB", "gpu_memory": "16 GiB", "gpu_model": "a100",
      "labels": ["big", "fast disk"], "device_env": "index", "launch": "per_gpu", "gpus": 2}})")).trial;
  EXPECT_EQ(trial.memory, 4'000'000'000);
  EXPECT_EQ(trial.gpu_memory, 17'179'869'184);
  EXPECT_EQ(trial.gpu_model, "a100");
  EXPECT_EQ(trial.labels, (std::vector<std::string>{"big", "fast disk"}));
  EXPECT_EQ(trial.device_env, DeviceNames::index);
  EXPECT_EQ(trial.launch, LaunchRule::per_gpu);
  EXPECT_EQ(fault(R"("memory": "4 gigs")"), "trial.memory: must be a size, as \"20GB\" or \"500 MiB\", not \"4 gigs\"");
  EXPECT_EQ(fault(R"("gpu_memory": 0)"), "trial.gpu_memory: must be a whole number of at least 1, not 0");
  EXPECT_EQ(fault(R"("gpu_model": "")"), "trial.gpu_model: must not be empty");
  EXPECT_EQ(fault(R"("labels": "big")"), "trial.labels: must be a list of names, as [\"big\", \"fast-disk\"], not \"big\"");
  EXPECT_EQ(fault(R"("labels": ["a\nb"])"), "trial.labels[0]: must not contain control characters");
  EXPECT_EQ(fault(R"("device_env": "uid")"),
            "trial.device_env: \"uid\" is not one of \"uuid\", \"index\"; did you mean \"uuid\"?");
  EXPECT_EQ(fault(R"("launch": "twice")"), "trial.launch: \"twice\" is not one of \"once\", \"per_gpu\"");
}

TEST(SpecTrial, ProcessesPerGpuNeedWholeGpus) {
  const auto fault = [](const std::string& gpus) {
    return fault_of(space_text(R"({"trial": {"launch": "per_gpu", "gpus": )" + gpus + "}}"));
  };
  EXPECT_EQ(fault("0"), "trial.launch: \"per_gpu\" starts a process for each whole GPU, and \"gpus\" is 0");
  EXPECT_EQ(fault("0.5"), "trial.launch: \"per_gpu\" starts a process for each whole GPU, and \"gpus\" is 0.5");
  EXPECT_EQ(fault("1"), "");
  EXPECT_EQ(fault("\"auto\""), "");
  EXPECT_EQ(fault_of(space_text(R"({"trial": {"launch": "once", "gpus": 0.5}})")), "");
}

TEST(SpecFiles, PatternsStayInTheFolder) {
  const auto fault = [](const std::string& files) { return fault_of(space_text(R"({"files": )" + files + "}")); };
  EXPECT_FALSE(spec_of(space_text()).files);
  FilesSpec files = *spec_of(space_text(R"({"files": ["train.py", "src/**", "..a/b.."]})")).files;
  EXPECT_EQ(files.patterns, (std::vector<std::string>{"train.py", "src/**", "..a/b.."}));
  EXPECT_EQ(files.limit, 1 << 30);
  files = *spec_of(space_text(R"({"files": {"patterns": ["*.py"], "limit": "2GB"}})")).files;
  EXPECT_EQ(files.patterns, std::vector<std::string>{"*.py"});
  EXPECT_EQ(files.limit, 2'000'000'000);
  EXPECT_EQ(fault(R"(["/data"])"), "files[0]: must be relative to the space file's folder, not \"/data\"");
  EXPECT_EQ(fault(R"(["a", "~/b"])"), "files[1]: must be relative to the space file's folder, not \"~/b\"");
  for (const char* pattern : {"..", "../x", "a/../../x", "a/.."})
    EXPECT_EQ(fault(R"([")" + std::string(pattern) + R"("])"),
              "files[0]: must stay in the space file's folder, without \"..\"");
  EXPECT_EQ(fault(R"([""])"), "files[0]: must not be empty");
  EXPECT_EQ(fault(R"(["a\u0007"])"), "files[0]: must not contain control characters");
  EXPECT_EQ(fault(R"("src")"),
            "files: must be a list of names and patterns, as [\"train.py\", \"src\", \"*.json\"], not \"src\"");
  EXPECT_EQ(fault(R"({"limit": "2GB"})"), "files.patterns: missing; for example \"patterns\": [\"train.py\", \"src\"]");
  EXPECT_EQ(fault(R"({"patterns": ["a"], "limit": "big"})"),
            "files.limit: must be a size, as \"20GB\" or \"500 MiB\", not \"big\"");
  EXPECT_EQ(fault(R"({"include": ["a"]})"), "files.include: unknown key; did you mean \"patterns\"?");
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
