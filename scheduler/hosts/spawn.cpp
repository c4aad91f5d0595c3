#include "scheduler/hosts/spawn.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/process.hpp>
#include <csignal>
#include <system_error>

namespace hpsearch {

namespace {

namespace process = boost::process::v2;

process::error_code last_error() { return {errno, boost::system::system_category()}; }

// What the child does between fork and exec: async-signal-safe calls only.
struct ChildSetup {
  const SpawnRequest& request;

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
    int parked[8];
    int count = 0;
    for (const auto& [child, parent] : request.descriptors)
      if ((parked[count++] = ::fcntl(parent, F_DUPFD_CLOEXEC, 100)) < 0) return false;
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

}  // namespace

pid_t spawn(const SpawnRequest& request) {
  const std::vector<const char*> env = pointers(request.env);
  process::posix::default_launcher launcher;
  launcher.env = env.data();
  for (const auto& [child, parent] : request.descriptors) launcher.fd_whitelist.push_back(child);
  process::error_code error;
  boost::asio::io_context io;  // The system executor would start threads in each keeper.
  const std::vector<std::string> args(request.argv.begin() + 1, request.argv.end());
  launcher(io.get_executor(), error, request.program, args, ChildSetup{request}).detach();
  if (error) throw std::system_error(error.value(), std::generic_category(), request.program);
  return launcher.pid;
}

}  // namespace hpsearch
