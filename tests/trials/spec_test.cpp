#include "trials/spec.h"

#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

const char* const kWhole = R"j({
  "study": "fashion-cnn",                        // a comment
  "command": ["fashion_cnn", "--data={data}", "{args}"],
  "settings": {"data": "/usr/share/datasets/fashion-mnist"},
  "metrics": [{"name": "val_accuracy", "goal": "maximize", "smooth": 3}, {"name": "ms", "at_most": 20}],
  "params": {
    "lr":        {"type": "float", "low": 1e-4, "high": 0.3, "log": true},
    "width":     {"type": "int", "low": 4, "high": 64, "log": true},
    "optimizer": ["sgd", "adam"],
    "sizes":     {"type": "choice", "choices": [16, 32], "ordered": true},
    "momentum":  {"type": "float", "low": 0.0, "high": 0.99, "when": {"optimizer": "sgd", "width": {"at_least": 8}}},
    "data_seed": 7
  },
  "constraints": ["width * 2 <= 100"],
  "resource": {"name": "epoch", "min": 1, "max": 27},
  "search": {"sampler": {"type": "grid", "points": 4}, "pruner": {"type": "asha", "eta": 4}, "seed": 18446744073709551615},
  "limits": {"trials": 60, "time": "2h", "trial_time": "30m", "silence": 90, "gpu_hours": 1.5, "cost": 3,
             "disk": "20GB", "failures_in_a_row": 4},
  "trial":  {"gpus": 0.5, "cpus": 2, "checkpoint": true, "retries": 1, "retry_on": [3], "keep_checkpoints": 5,
             "grace": "5s", "verdict_wait": "1s", "env": {"A": "b"}, "cwd": "trial", "value": "best"},
  "hosts":  [{"local": true, "slots": 2, "name": "here", "price_per_hour": 0.1}],
  "collect": [{"stderr": "e (\\d+) a (\\S+)", "as": ["step", "val_accuracy"]}],
  "enqueue": [{"lr": 0.01}]
})j";

void expect_whole(const StudySpec& spec) {
  EXPECT_EQ(spec.command.elements.size(), 3u);
  EXPECT_EQ(spec.settings["data"], "/usr/share/datasets/fashion-mnist");
  EXPECT_TRUE(spec.maximize());
  EXPECT_EQ(spec.metric().smooth, 3);
  EXPECT_EQ(spec.metrics[1].at_most, 20);
  EXPECT_EQ(spec.space.params.size(), 6u);
  EXPECT_TRUE(std::get<FloatDomain>(spec.space.params[0].domain).log);
  EXPECT_EQ(std::get<IntDomain>(spec.space.params[1].domain).high, 64);
  EXPECT_TRUE(std::get<ChoiceDomain>(spec.space.params[3].domain).ordered);
  EXPECT_EQ(spec.space.params[4].when.size(), 2u);
  EXPECT_EQ(std::get<FixedDomain>(spec.space.params[5].domain).value, 7);
  EXPECT_EQ(spec.space.constraints.size(), 1u);
  EXPECT_EQ(spec.resource->max, 27);
  EXPECT_EQ(spec.search.sampler.type, "grid");
  EXPECT_EQ(spec.search.sampler.options, Json({{"points", 4}}));
  EXPECT_EQ(spec.search.pruner.options, Json({{"eta", 4}, {"variant", "promote"}}));
  EXPECT_EQ(spec.search.seed, 18446744073709551615u);
  EXPECT_EQ(spec.limits.trials, 60);
  EXPECT_EQ(spec.limits.time, Span(7'200'000));
  EXPECT_EQ(spec.limits.trial_time, Span(1'800'000));
  EXPECT_EQ(spec.limits.silence, Span(90'000));
  EXPECT_EQ(spec.limits.disk_bytes, 20'000'000'000);
  EXPECT_EQ(spec.limits.failures_in_a_row, 4);
  EXPECT_EQ(spec.trial.gpus, 0.5);
  EXPECT_EQ(spec.trial.retry_on, std::vector<int>{3});
  EXPECT_EQ(spec.trial.grace, Span(5000));
  EXPECT_EQ(spec.trial.env.at("A"), "b");
  EXPECT_EQ(spec.trial.cwd, WorkFolder::trial);
  EXPECT_EQ(spec.trial.value, ValueRule::best);
  EXPECT_EQ(spec.hosts.at(0).slots, 2);
  EXPECT_EQ(spec.hosts[0].name, "here");
  EXPECT_EQ(spec.collect.at(0).stream, "stderr");
  EXPECT_EQ(spec.collect[0].as[1], "val_accuracy");
  EXPECT_EQ(spec.enqueue.at(0), Json({{"lr", 0.01}}));
  EXPECT_EQ(spec.warnings.size(), 1u);  // limits.disk is not watched yet.
}

TEST(Spec, ReadsEveryPartOfAWholeFile) {
  const StudySpec spec = parse_spec(kWhole, "/tmp/x/space.json");
  EXPECT_EQ(spec.name, "fashion-cnn");
  EXPECT_EQ(spec.folder, "/tmp/x");
  expect_whole(spec);
}

TEST(Spec, TheStoredDocumentGivesTheSameAgain) {
  const StudySpec spec = parse_spec(kWhole, "space.json");
  const Json stored = Json::parse(spec.document.dump());
  const StudySpec again = parse_spec_document(stored, "other", "/somewhere");
  expect_whole(again);
  EXPECT_EQ(again.name, "other");
  EXPECT_EQ(again.folder, "/somewhere");
  EXPECT_EQ(again.document.dump(), spec.document.dump());
}

TEST(Spec, DefaultsAreThoseOfTheManual) {
  const StudySpec spec = spec_of(space_text());
  EXPECT_EQ(spec.name, "space");
  EXPECT_EQ(spec.command.arg_style, "--{name}={value}");
  EXPECT_EQ(spec.search.sampler.type, "auto");
  EXPECT_EQ(spec.search.pruner.type, "none");
  EXPECT_FALSE(spec.search.seed);
  EXPECT_FALSE(spec.resource);
  EXPECT_FALSE(spec.trial.gpus);
  EXPECT_FALSE(spec.trial.cpus || spec.trial.memory || spec.trial.gpu_memory);
  EXPECT_EQ(spec.trial.device_env, DeviceNames::uuid);
  EXPECT_EQ(spec.trial.launch, LaunchRule::once);
  EXPECT_EQ(spec.trial.retries, 2);
  EXPECT_EQ(spec.trial.keep_checkpoints, 3);
  EXPECT_EQ(spec.trial.grace, Span(30'000));
  EXPECT_EQ(spec.trial.verdict_wait, Span(10'000));
  EXPECT_EQ(spec.trial.value, ValueRule::last);
  EXPECT_EQ(spec.limits.failures_in_a_row, 10);
  ASSERT_EQ(spec.hosts.size(), 1u);
  EXPECT_EQ(spec.hosts[0].kind, HostKind::local);
  EXPECT_EQ(spec.hosts[0].name, "local");
  EXPECT_FALSE(spec.files);
  EXPECT_FALSE(spec.hosts[0].slots);
  EXPECT_TRUE(spec.warnings.empty());
}

TEST(Spec, PrunerFollowsResourceAndCheckpoint) {
  StudySpec spec = spec_of(space_text(R"({"resource": {"name": "epoch", "max": 9}})"));
  EXPECT_EQ(spec.resource->min, 1);
  EXPECT_EQ(spec.search.pruner.type, "asha");
  EXPECT_EQ(spec.search.pruner.options["variant"], "stop");
  spec = spec_of(space_text(R"({"resource": {"name": "epoch", "max": 9}, "trial": {"checkpoint": true}})"));
  EXPECT_EQ(spec.search.pruner.options["variant"], "promote");
}

TEST(Spec, Es5SecondsAreAMeasuredResource) {
  const StudySpec spec = spec_of(space_text(R"({"resource": {"name": "seconds", "min": 1, "max": 9}})"));
  EXPECT_TRUE(spec.resource->measured());
  EXPECT_FALSE(spec_of(space_text(R"({"resource": {"name": "epoch", "max": 9}})")).resource->measured());
}

TEST(Spec, StudyNamesAreSafeFileNames) {
  EXPECT_EQ(spec_of(space_text(R"({"study": "a.B_1-"})")).name, "a.B_1-");
  EXPECT_EQ(parse_spec(space_text(), "dir/my.space.json").name, "my.space");
  for (const char* name : {"", ".a", "a/b", "a b", "é"})
    expect_part(fault_of(space_text(R"({"study": ")" + std::string(name) + "\"}")), "is not a name for a study");
  EXPECT_EQ(faults_of(space_text(R"({"study": ")" + std::string(64, 'a') + "\"}")), "");
  EXPECT_NE(faults_of(space_text(R"({"study": ")" + std::string(65, 'a') + "\"}")), "");
  try {
    parse_spec(space_text(), "my space.json");
    FAIL();
  } catch (const UserError& error) {
    expect_part(error.what(), "study: missing, and the file's name, \"my space\", will not do");
  }
}

TEST(Spec, RequiredPartsAreNamedWithAnExample) {
  const std::string faults = faults_of("{}");
  expect_part(faults, "space.json:1: command: missing; for example \"command\": [");
  expect_part(faults, "space.json:1: metric: missing; for example \"metric\": {");
  expect_part(faults, "space.json:1: params: missing; for example \"params\": {");
  expect_part(fault_of(space_text(R"({"limits": null})")), "limits: must say when the study ends");
  expect_part(fault_of(space_text(R"({"metric": {"goal": null}})")), "metric.goal: missing; \"minimize\" or \"maximize\"");
  EXPECT_EQ(fault_of("[1]"), "must be one JSON object, not [1]");
}

TEST(Spec, FiniteSpacesNeedNoLimit) {
  EXPECT_EQ(faults_of(params_text(R"({"a": [1, 2]})", R"({"limits": null})")), "");
  EXPECT_EQ(faults_of(space_text(R"({"limits": null, "search": {"sampler": "grid"}})")), "");
  for (const char* limit : {"\"time\": \"1h\"", "\"gpu_hours\": 1", "\"cost\": 1"})
    EXPECT_EQ(faults_of(space_text(R"({"limits": {"trials": null, )" + std::string(limit) + "}}")), "");
  EXPECT_NE(faults_of(space_text(R"({"limits": {"trials": null, "trial_time": 1}})")), "");
}

TEST(Spec, Rs5GoalsHaveTwoSpellings) {
  EXPECT_EQ(spec_of(space_text(R"({"metric": {"goal": "minimise"}})")).metric().goal, Goal::minimize);
  EXPECT_EQ(spec_of(space_text(R"({"metric": {"goal": "maximise"}})")).metric().goal, Goal::maximize);
  expect_part(fault_of(space_text(R"({"metric": {"goal": "max"}})")),
              "metric.goal: \"max\" is not a goal: \"minimize\" or \"maximize\"; did you mean \"maximize\"?");
}

}  // namespace
}  // namespace hpsearch
