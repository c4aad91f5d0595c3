#include "scheduler/hosts/host_check.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/trial_process.h"

namespace hpsearch {

namespace {

constexpr Span kSetupPatience{6'000};  // Twice, and the connection must not seem cut.
constexpr std::size_t kMostOutput = 2000;

struct Outcome {
  int status = 0;
  bool late = false;
  std::string output;
};

// Runs the shell line with nothing on standard input; what it prints is kept.
Outcome run_line(const std::vector<std::string>& argv, const std::string& folder) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {127, false, "no pipe"};
  const FileDescriptor read_end(ends[0]), nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  FileDescriptor write_end(ends[1]);
  std::vector<std::string> env;
  for (char** entry = environ; *entry; ++entry) env.emplace_back(*entry);
  const pid_t pid = spawn({argv[0], argv, env, folder, {{0, nothing.get()}, {1, write_end.get()}, {2, write_end.get()}}, Lead::group});
  write_end.close();
  Outcome outcome;
  const Span until = steady_now() + kSetupPatience;
  char buffer[1024];
  for (;;) {
    pollfd ready{read_end.get(), POLLIN, 0};
    const Span left = until - steady_now();
    outcome.late = left <= Span(0) || ::poll(&ready, 1, static_cast<int>(left.count())) == 0;
    const ssize_t n = outcome.late ? 0 : ::read(read_end.get(), buffer, sizeof buffer);
    if (n <= 0) break;
    outcome.output = (outcome.output + std::string(buffer, n)).substr(0, kMostOutput);
  }
  if (outcome.late) ::kill(-pid, SIGKILL);
  ::waitpid(pid, &outcome.status, 0);
  return outcome;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return as_utf8(text.substr(text.rfind('\n') + 1));
}

}  // namespace

std::string host_fault(const std::string& folder, const std::string& setup, const std::string& command) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return "has no folder " + folder + R"(: name the files that trials need in "files", and they are copied there)";
  const bool near = find_program_near(command, folder).has_value();
  if (setup.empty())
    return command.empty() || near || find_program(command, folder) ? "" : "command not found there: " + command + R"( (name it in "files", or see "setup"))";
  const Outcome outcome = run_line(setup_command(setup, "command -v -- \"$1\"", {near || command.empty() ? "true" : command}), folder);
  if (outcome.late) return "its setup line does not end within 6s; last words: " + last_line(outcome.output);
  if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0) return "";
  const Outcome alone = run_line(setup_command(setup, "", {}), folder);
  if (!WIFEXITED(alone.status) || WEXITSTATUS(alone.status) != 0)
    return "its setup line ends with exit " + std::to_string(WEXITSTATUS(alone.status)) + (alone.output.empty() ? "" : ": " + last_line(alone.output));
  return "command not found there after the setup line: " + command;
}

}  // namespace hpsearch
