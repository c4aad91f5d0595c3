#include "tests/trials/spec_support.h"
#include "trials/random.h"

namespace hpsearch {
namespace {

// Files that touch every part of the parser.
const char* const kStudyText = R"j({"study":"a","command":["t","{x}",["{y}"],{"when":{"y":{"at_least":1}},"args":["{args}"]}],
"settings":{"d":[1,{"a":null}]},"metrics":[{"name":"m","goal":"minimize"},{"name":"k","at_most":1e3}],
"params":{"x":{"type":"float","low":1e-3,"high":0.5,"log":true},"y":{"type":"int","low":1,"high":9223372036854775807},
"z":{"type":"choice","choices":[1,"a",[2]],"ordered":false,"when":{"y":{"in":[1,2]}}},"f":-0.5},
"constraints":["(x<=y^2 or not z=='a') and min(x,2)*-1<abs(`y`)%3"],"resource":{"name":"epoch","min":2,"max":27},
"search":{"sampler":{"type":"grid","points":3},"pruner":{"type":"asha","levels":[2,3]},"seed":7},
"limits":{"trials":3,"time":"1d2h","disk":"2 GB"},"trial":{"gpus":"auto","env":{"A":"b"},"retry_on":[1]},
"hosts":[{"local":true,"slots":1}],"collect":[{"stdout":"a (\\d+)","as":["m"]}],"enqueue":[{"x":0.1}]})j";

const char* const kFleetText = R"j({"command":["t"],"settings":{"d":"e"},"metric":{"name":"m","goal":"minimize"},
"params":{"x":[1]},"trial":{"memory":"1GB","labels":["l"],"launch":"per_gpu"},"hosts":[{"local":true,"gpus":[0,"GPU-a"]},
{"ssh":"a","name":"b","dir":"~/c","program":"d","vars":{"d":1},"ssh_options":["-p","1"],"price_per_hour":1,"lost_after":9},
{"slurm":{"partition":"p","time":"1-2:3","mode":"job","sbatch":["-x"]},"setup":"s"},{"command":["c","{host}"],
"elastic":{"launch":["u"],"release":["d"],"idle":"1m"}}],"files":{"patterns":["a/*"],"limit":"1MB"}})j";

// Anything but UserError fails the test by escaping.
void read(const std::string& text) {
  try {
    parse_spec(text, "f.json");
  } catch (const UserError& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

struct SeedText {
  const char *name, *text;
};

class SpecAnyBytes : public testing::TestWithParam<SeedText> {};

INSTANTIATE_TEST_SUITE_P(Texts, SpecAnyBytes, testing::Values(SeedText{"Study", kStudyText}, SeedText{"Fleet", kFleetText}),
                         [](const auto& info) { return info.param.name; });

TEST_P(SpecAnyBytes, TheSeedTextIsGood) { EXPECT_EQ(faults_of(GetParam().text), ""); }

TEST_P(SpecAnyBytes, CutTextsGiveOnlyUserErrors) {
  const std::string text = GetParam().text;
  for (std::size_t length = 0; length < text.size(); ++length) read(text.substr(0, length));
}

TEST_P(SpecAnyBytes, ChangedBytesGiveOnlyUserErrors) {
  RandomStream random(1, "bytes", 1);
  const std::string bytes = "{}[]\",:0123456789-+.eE\\/*' \n\t`()<>=!\xFF\xC3\x01tfnaxyz";
  for (int round = 0; round < 4000; ++round) {
    std::string text = GetParam().text;
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
      text[random.below(text.size())] = bytes[random.below(bytes.size())];
    read(text);
  }
}

TEST_P(SpecAnyBytes, SwappedValuesGiveOnlyUserErrors) {
  const Json whole = Json::parse(GetParam().text);
  const Json flat = whole.flatten();
  const std::vector<Json> odd{nullptr, true, -1, 1e308, "", "{", "\0", Json::array(), Json::object(), {{"type", "float"}},
                              {1, 1.0}, {{"in", {}}}, 18446744073709551615u, "1e5", Json::array({Json::object()})};
  for (const auto& [pointer, value] : flat.items()) {
    for (Json::json_pointer at(pointer); !at.empty(); at = at.parent_pointer()) {
      for (const Json& other : odd) {
        Json changed = whole;
        changed[at] = other;
        read(changed.dump());
      }
    }
  }
}

TEST_P(SpecAnyBytes, MissingMembersGiveOnlyUserErrors) {
  const Json whole = Json::parse(GetParam().text);
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (Json::json_pointer at(pointer); !at.empty(); at = at.parent_pointer()) {
      Json changed = whole;
      Json& parent = changed[at.parent_pointer()];
      if (parent.is_object()) parent.erase(at.back());
      else parent.erase(parent.begin() + std::stoi(at.back()));
      read(changed.dump());
    }
  }
}

TEST(SpecDepth, DeepNestingIsRefused) {
  read(std::string(1'000'000, '['));
  read(R"({"params":)" + std::string(63, '[') + std::string(63, ']') + "}");
  std::string nested = "1";
  for (int i = 0; i < 61; ++i) nested = "{\"a\":" + nested + "}";
  read("{\"params\":{\"p\":" + nested + "}}");
}

}  // namespace
}  // namespace hpsearch
