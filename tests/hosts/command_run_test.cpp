#include "scheduler/hosts/command_run.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

CommandResult run(CommandRequest request) {
  boost::asio::io_context io;
  CommandQueue commands(io, 1, {"PATH=/usr/bin:/bin"});
  std::optional<CommandResult> result;
  commands.run(std::move(request), [&](const CommandResult& done) { result = done; });
  while (!result) io.run_one();
  return *result;
}

TEST(CommandRun, GivesTheStreamsAndTheStatus) {
  const CommandResult result = run({{"sh", "-c", "cat; echo bad >&2; exit 3"}, "input"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "input");
  EXPECT_EQ(result.errors, "bad\n");
  EXPECT_FALSE(result.ok());
}

TEST(CommandRun, EndsWhatTakesTooLong) {
  const CommandResult result = run({{"sleep", "100"}, "", Span(50)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.ok());
}

TEST(CommandRun, SaysThatAProgramIsMissing) {
  const CommandResult result = run({{"no-such-program-here"}, ""});
  EXPECT_EQ(result.status, -1);
  EXPECT_EQ(result.errors, "command not found: no-such-program-here");
}

TEST(CommandQueue, RunsSomeAtATimeInTheirOrder) {
  boost::asio::io_context io;
  CommandQueue commands(io, 2, {"PATH=/usr/bin:/bin"});
  std::string order;
  for (const char* word : {"a", "b", "c"})
    commands.run({{"echo", word}, ""}, [&](const CommandResult& done) { order += done.output.substr(0, 1); });
  while (order.size() < 3) io.run_one();
  EXPECT_EQ(order.back(), 'c');
}

}  // namespace
}  // namespace hpsearch
