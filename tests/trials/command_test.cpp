#include "trials/command.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hpsearch {
namespace {

using Argv = std::vector<std::string>;

CommandElement plain(const std::string& arg) { return {{arg}, false, {}}; }

Command command_of(std::vector<CommandElement> elements) {
  Command command;
  command.elements = std::move(elements);
  command.parameters = {"lr", "opt", "momentum", "amp"};
  return command;
}

CommandContext context() {
  return {{{"lr", 0.001}, {"opt", "adam"}, {"amp", true}}, {{"data", "/d ir"}, {"seed", 7}, {"epoch.max", 27}}};
}

TEST(RenderCommand, FillsParametersAndVariablesIntoOneArgument) {
  EXPECT_EQ(render_command(command_of({plain("sh"), plain("{data}/{opt}"), plain("{seed}:{epoch.max}")}), context()),
            (Argv{"sh", "/d ir/adam", "7:27"}));
}

TEST(RenderCommand, ParametersWinOverVariables) {
  CommandContext seeded = context();
  seeded.params["seed"] = 9007199254740993;
  EXPECT_EQ(render_command(command_of({plain("{seed}")}), seeded), (Argv{"9007199254740993"}));
}

TEST(RenderCommand, ArgsAreTheActiveParametersNotNamedElsewhere) {
  Command command = command_of({plain("t"), plain("{args}"), plain("--rate={lr}")});
  EXPECT_EQ(render_command(command, context()), (Argv{"t", "--opt=adam", "--amp=true", "--rate=0.001"}));
  command.arg_style = "{name}:{value}";
  EXPECT_EQ(render_command(command, context()), (Argv{"t", "opt:adam", "amp:true", "--rate=0.001"}));
}

TEST(RenderCommand, ConditionsCountAsNaming) {
  const Command command = command_of({plain("t"), {{"--amp"}, false, {{"amp", {true}, {}, {}}}}, plain("{args}")});
  EXPECT_EQ(render_command(command, context()), (Argv{"t", "--amp", "--lr=0.001", "--opt=adam"}));
  CommandContext off = context();
  off.params["amp"] = false;
  EXPECT_EQ(render_command(command, off), (Argv{"t", "--lr=0.001", "--opt=adam"}));
}

TEST(RenderCommand, ElementsThatNameAnInactiveParameterAreDropped) {
  const Command command =
      command_of({plain("t"), plain("-m{momentum}"), {{"--lr", "{lr}"}, true, {}}, {{"--mom", "{momentum}"}, true, {}}});
  EXPECT_EQ(render_command(command, context()), (Argv{"t", "--lr", "0.001"}));
}

TEST(RenderCommand, DoubledBracesAreBraces) {
  EXPECT_EQ(render_command(command_of({plain("{{\"lr\": {lr}}}")}), context()), (Argv{"{\"lr\": 0.001}"}));
}

TEST(RenderCommand, UnknownNamesAreRefused) {
  EXPECT_THROW(render_command(command_of({plain("{x}")}), context()), std::invalid_argument);
}

TEST(TemplateNames, FindsNamesAndBrokenBraces) {
  EXPECT_EQ(template_names("a{b}{{c}}{d.e}"), (Argv{"b", "d.e"}));
  EXPECT_THROW(template_names("{a"), std::invalid_argument);
  EXPECT_THROW(template_names("{a{b}"), std::invalid_argument);
  EXPECT_THROW(template_names("a}"), std::invalid_argument);
}

TEST(ArgumentText, WritesEachKindAsDocumented) {
  EXPECT_EQ(argument_text(nullptr), "null");
  EXPECT_EQ(argument_text(true), "true");
  EXPECT_EQ(argument_text(2), "2");
  EXPECT_EQ(argument_text(1e-5), "1e-5");
  EXPECT_EQ(argument_text(1.0), "1");
  EXPECT_EQ(argument_text(""), "");
  EXPECT_EQ(argument_text("a b"), "a b");
  EXPECT_EQ(argument_text({64, 32}), "[64,32]");
}

TEST(ShellLine, QuotesWhatAShellWouldChange) {
  EXPECT_EQ(shell_line({"train", "--lr=0.1", "a b", "it's", ""}, {{"A", "1 2"}}, "/tmp/x y"),
            "cd '/tmp/x y' && A='1 2' train --lr=0.1 'a b' 'it'\\''s' ''");
  EXPECT_EQ(shell_line({"a=b", "$x"}, {}, ""), "'a=b' '$x'");
}

}  // namespace
}  // namespace hpsearch
