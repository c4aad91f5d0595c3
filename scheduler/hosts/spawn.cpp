#include "scheduler/hosts/spawn.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/process.hpp>
#include <csignal>
#include <system_error>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

namespace {

namespace process = boost::process::v2;

constexpr int kParking = 200;                // Above every number that a child is given.

process::error_code last_error() { return {errno, boost::system::system_category()}; }

// What the child does between fork and exec: async-signal-safe calls only.
struct ChildSetup {
  const SpawnRequest& request;
  int* parked;                               // Room for as many numbers as there are descriptors.

  template <typename... Launch>
  process::error_code on_exec_setup(Launch&...) const {
    if (request.lead == Lead::session ? ::setsid() < 0 : ::setpgid(0, 0) != 0) return last_error();
    if (!place_descriptors()) return last_error();
    if (!request.cwd.empty() && ::chdir(request.cwd.c_str()) != 0) return last_error();
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    return {};
  }

  // The parent's exit handlers and buffers are not the child's to run.
  template <typename... Launch>
  void on_exec_error(Launch&...) const {
    ::_exit(127);
  }

  // First out of the way of each other, then to their places.
  bool place_descriptors() const {
    int count = 0;
    for (const auto& [child, parent] : request.descriptors)
      if ((parked[count++] = ::fcntl(parent, F_DUPFD_CLOEXEC, kParking)) < 0) return false;
    count = 0;
    for (const auto& [child, parent] : request.descriptors)
      if (::dup2(parked[count++], child) < 0) return false;
    return true;
  }
};

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& text : texts) result.push_back(text.c_str());
  result.push_back(nullptr);
  return result;
}

// The numbers that the child gets are taken here too until it has started: the pipe on which the launcher hears of a failed
// exec must not be one of them.
std::vector<FileDescriptor> reserve(const SpawnRequest& request) {
  std::vector<FileDescriptor> reserved;
  for (const auto& [child, parent] : request.descriptors)
    if (::fcntl(child, F_GETFD) < 0) reserved.emplace_back(::fcntl(parent, F_DUPFD_CLOEXEC, child));
  return reserved;
}

}  // namespace

pid_t spawn(const SpawnRequest& request) {
  const std::vector<const char*> env = pointers(request.env);
  process::posix::default_launcher launcher;
  launcher.env = env.data();
  for (const auto& [child, parent] : request.descriptors) launcher.fd_whitelist.push_back(child);
  process::error_code error;
  boost::asio::io_context io;  // The system executor would start threads in each keeper.
  const std::vector<std::string> args(request.argv.begin() + 1, request.argv.end());
  std::vector<int> parked(request.descriptors.size());
  const std::vector<FileDescriptor> reserved = reserve(request);
  launcher(io.get_executor(), error, request.program, args, ChildSetup{request, parked.data()}).detach();
  if (error) {
    if (launcher.pid > 0) ::waitpid(launcher.pid, nullptr, 0);  // It has what it was given until it has gone.
    throw std::system_error(error.value(), std::generic_category(), request.program);
  }
  return launcher.pid;
}

}  // namespace hpsearch
