#include "tests/trials/spec_support.h"

namespace hpsearch {
namespace {

std::string command_text(const std::string& command, const std::string& patch = "{}") {
  Json document = Json::parse(params_text(R"({"lr": [0.1, 0.2], "amp": [true, false]})",
                                          R"({"settings": {"data": "/d"}, "resource": {"name": "epoch", "max": 9}})"));
  document["command"] = Json::parse(command);
  document.merge_patch(Json::parse(patch));
  return document.dump();
}

TEST(SpecCommand, NamesMayBeParametersSettingsAndBuiltInWords) {
  EXPECT_EQ(faults_of(command_text(R"(["t", "{lr}{amp}{data}{seed}{trial}{epoch}{epoch.max}{params_file}{{}}"])")), "");
  EXPECT_EQ(fault_of(command_text(R"(["t", "{dta}"])")),
            "command[1]: {dta} is neither a parameter nor a setting; did you mean \"data\"?");
  expect_part(fault_of(command_text(R"(["t", "{\"lr\": 1}"])")), "(a literal brace is written {{)");
  expect_part(fault_of(command_text(R"(["t", "{lr"])")), "\"{\" without \"}\"");
}

TEST(SpecCommand, ArgsAreAppendedWhenNothingNamesAParameter) {
  const auto last = [](const std::string& command) { return spec_of(command_text(command)).command.elements.back().args.back(); };
  EXPECT_EQ(last(R"(["t", "{data}"])"), "{args}");
  EXPECT_EQ(last(R"(["t", "{lr}"])"), "{lr}");
  EXPECT_EQ(last(R"(["t", "{params_file}"])"), "{params_file}");
  EXPECT_EQ(last(R"(["t", "{args}", "x"])"), "x");
}

TEST(SpecCommand, ArgsStandAlone) {
  expect_part(fault_of(command_text(R"(["t", "x{args}"])")), "{args} stands alone in its argument");
}

TEST(SpecCommand, Cl4UnreachedParametersAreWarnings) {
  const StudySpec spec = spec_of(command_text(R"(["t", "{lr}"])"));
  ASSERT_EQ(spec.warnings.size(), 1u);
  expect_part(spec.warnings[0], "params.amp: not in the command");
  EXPECT_TRUE(spec_of(command_text(R"(["t", "{lr}", {"when": {"amp": true}, "args": ["--amp"]}])")).warnings.empty());
  EXPECT_TRUE(spec_of(command_text(R"(["t", "{params_file}"])")).warnings.empty());
}

TEST(SpecCommand, ElementsAreTextListsOrConditional) {
  const StudySpec spec = spec_of(command_text(R"(["t", ["--lr", "{lr}"], {"when": {"amp": true}, "args": ["--amp"]}])"));
  EXPECT_TRUE(spec.command.elements[1].splice);
  EXPECT_EQ(spec.command.elements[2].when[0].param, "amp");
  expect_part(fault_of(command_text(R"(["t", 3])")), "an argument is text: write \"3\"");
  expect_part(fault_of(command_text(R"(["t", [["x"]]])")), "an argument is text");
  expect_part(fault_of(command_text(R"(["t", []])")), "must not be empty");
  expect_part(fault_of(command_text(R"(["t", {"when": {"amp": 3}, "args": ["x"]}])")), "3 is not among the choices");
  expect_part(fault_of(command_text(R"(["t", {"when": {"amp": true}}])")), "command[1].args: missing");
  expect_part(fault_of(command_text(R"([["t"]])")), "the first argument names the program");
  expect_part(fault_of(command_text("[]")), "command: must not be empty");
  expect_part(fault_of(command_text(R"(["t\u0000"])")), "no program can be given it");
}

TEST(SpecCommand, ArgStyleHasAValue) {
  EXPECT_EQ(spec_of(command_text(R"(["t"])", R"({"arg_style": "{name}={value}"})")).command.arg_style, "{name}={value}");
  expect_part(fault_of(command_text(R"(["t"])", R"({"arg_style": "--{name}"})")), "must contain {value}");
  expect_part(fault_of(command_text(R"(["t"])", R"({"arg_style": "{x}{value}"})")), "{x} means nothing here");
}

TEST(SpecCommand, NamesOfSettingsAndResourceAreFree) {
  expect_part(fault_of(command_text(R"(["t"])", R"({"settings": {"lr": 1}})")), "a parameter has this name too");
  expect_part(fault_of(command_text(R"(["t"])", R"({"settings": {"seed": 1}})")), "has a meaning in commands");
  expect_part(fault_of(command_text(R"(["t"])", R"({"resource": {"name": "lr"}})")), "parameter or setting has this name");
  expect_part(fault_of(command_text(R"(["t"])", R"({"resource": {"name": "a b"}})")), "must be a word");
}

}  // namespace
}  // namespace hpsearch
