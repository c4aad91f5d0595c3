#include "scheduler/hosts/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/hosts/agent_words.h"

namespace hpsearch {
namespace {

HostSpec ssh_host() {
  HostSpec host;
  host.kind = HostKind::ssh;
  host.ssh = "me@gpu1";
  return host;
}

bool has(const std::vector<std::string>& words, const std::string& word) { return std::count(words.begin(), words.end(), word) > 0; }

TEST(AgentCommand, NeverAsksAndKnowsItsHosts) {
  const auto command = agent_command(ssh_host(), "ab12", 77);
  EXPECT_EQ(command.front(), "ssh");
  EXPECT_TRUE(has(command, "BatchMode=yes"));
  EXPECT_TRUE(has(command, "StrictHostKeyChecking=yes"));
  EXPECT_EQ(command[command.size() - 3], "--");
  EXPECT_EQ(command[command.size() - 2], "me@gpu1");
}

TEST(AgentCommand, AcceptsNewKeysOnRequestOnly) {
  HostSpec host = ssh_host();
  host.ssh_options = {"-o", "StrictHostKeyChecking=accept-new"};
  EXPECT_FALSE(has(agent_command(host, "ab12", 77), "StrictHostKeyChecking=yes"));
  host.ssh_options = {"-o", "StrictHostKeyChecking=no"};
  const auto command = agent_command(host, "ab12", 77);
  const auto yes = std::find(command.begin(), command.end(), "StrictHostKeyChecking=yes");
  EXPECT_LT(yes, std::find(command.begin(), command.end(), "StrictHostKeyChecking=no")) << "ssh takes the first";
}

TEST(AgentCommand, TheRemoteLineIsOneThatEveryShellReadsTheSame) {
  const std::string line = agent_command(ssh_host(), "ab12", 77).back();
  EXPECT_EQ(line.find('!'), std::string::npos);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(line.starts_with("exec 'sh' '-c' '"));
  EXPECT_TRUE(line.ends_with("'hpsearch' 'ab12' '77' 'hpsearch: program wanted'"));
}

TEST(AgentCommand, AnInstalledProgramIsStartedAsItIs) {
  HostSpec host = ssh_host();
  host.program = "~/bin/hpsearch";
  EXPECT_EQ(agent_command(host, "ab12", 77).back(), "exec ~/bin/hpsearch agent --stdio");
}

TEST(AgentCommand, AnyCommandCarriesIt) {
  HostSpec host;
  host.kind = HostKind::command;
  host.command = {"docker", "exec", "-i", "box"};
  host.program = "/opt/hpsearch";
  EXPECT_EQ(agent_command(host, "ab12", 77),
            (std::vector<std::string>{"docker", "exec", "-i", "box", "/opt/hpsearch", "agent", "--stdio"}));
}

TEST(AgentWords, AdoptionsComeBackTheSame) {
  const Adoption adoption{{7, 2}, "00ff", 41, "loss", {VerdictWord{Verdict::pause, 9.0}, OrderWord{OrderKind::terminate}}};
  const Adoption read = parse_adoption(Json::parse(adoption_json(adoption).dump()));
  EXPECT_EQ(read.name, adoption.name);
  EXPECT_EQ(read.id, "00ff");
  EXPECT_EQ(read.seen, 41u);
  ASSERT_EQ(read.words.size(), 2u);
  EXPECT_EQ(std::get<VerdictWord>(read.words[0]).milestone, 9.0);
  EXPECT_EQ(std::get<OrderWord>(read.words[1]).order, OrderKind::terminate);
}

}  // namespace
}  // namespace hpsearch
