#include "scheduler/hosts/command_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr Span kLongestPause{20};            // Between looks whether a command has ended.
constexpr std::size_t kMostWords = 16 << 20;

FileDescriptor memory_file(const std::string& text) {
  FileDescriptor file(::memfd_create("hpsearch", MFD_CLOEXEC));
  if (!file.open()) throw std::system_error(errno, std::generic_category(), "memfd_create");
  if (!text.empty() && ::pwrite(file.get(), text.data(), text.size(), 0) != std::ssize(text))
    throw std::system_error(errno, std::generic_category(), "memfd_create");
  return file;
}

std::string content(const FileDescriptor& file) {
  if (!file.open()) return {};
  std::string text;
  char buffer[1 << 14];
  for (ssize_t n; text.size() < kMostWords && (n = ::pread(file.get(), buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer, n);
  return as_utf8(std::move(text));
}

}  // namespace

CommandRun::CommandRun(boost::asio::io_context& io, const CommandRequest& request, std::vector<std::string> env,
                       std::function<void(const CommandResult&)> done)
    : done_(std::move(done)), timer_(io), until_(steady_now() + request.patience) {
  try {
    start(request, env);
  } catch (const std::exception& fault) {
    fault_ = fault.what();
  }
  look_after(fault_.empty() ? pause_ : Span(0));
}

void CommandRun::start(const CommandRequest& request, const std::vector<std::string>& env) {
  const auto program = find_program(request.argv.front(), request.folder);
  if (!program) throw std::runtime_error("command not found: " + request.argv.front());
  input_ = memory_file(request.input);
  output_ = memory_file("");
  errors_ = memory_file("");
  std::vector<std::pair<int, int>> descriptors{{0, input_.get()}, {1, output_.get()}, {2, errors_.get()}};
  if (request.held >= 0) descriptors.emplace_back(3, request.held);
  pid_ = spawn({*program, request.argv, env, request.folder, descriptors, Lead::session});
}

void CommandRun::look_after(Span delay) {
  timer_.expires_after(delay);
  timer_.async_wait([this](const auto& error) {
    if (!error) look();
  });
}

void CommandRun::look() {
  if (!fault_.empty()) return finish({-1, false, "", fault_});
  int status = 0;
  const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
  if (ended == 0) {
    if (!timed_out_ && steady_now() > until_) {
      timed_out_ = true;
      ::kill(-pid_, SIGKILL);
    }
    pause_ = std::min(2 * pause_, kLongestPause);
    return look_after(pause_);
  }
  finish({WIFEXITED(status) ? WEXITSTATUS(status) : -1, timed_out_, content(output_), content(errors_)});
}

void CommandRun::finish(CommandResult result) { done_(result); }

void CommandQueue::run(CommandRequest request, std::function<void(const CommandResult&)> done) {
  waiting_.push_back({std::move(request), std::move(done)});
  start_next();
}

void CommandQueue::start_next() {
  while (!waiting_.empty() && static_cast<int>(running_.size()) < at_a_time_) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    const auto place = running_.emplace(running_.end());
    *place = std::make_unique<CommandRun>(io_, next.request, env_, [this, place, done = std::move(next.done)](const CommandResult& result) {
      boost::asio::post(io_, [this, place] {
        running_.erase(place);
        start_next();
      });
      done(result);
    });
  }
}

}  // namespace hpsearch
