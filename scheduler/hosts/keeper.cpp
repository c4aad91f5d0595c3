#include "scheduler/hosts/keeper.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "scheduler/hosts/attempt_keeper.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/unix_socket.h"

namespace hpsearch {

namespace {

constexpr int kInheritedSocket = 3;

// The keeper outlives the terminal and the scheduler, and adopts what its program leaves behind.
void detach() {
  ::setsid();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
}

FileDescriptor hold_lock(const AttemptFolder& folder) {
  FileDescriptor lock(::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock.open() || (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK))
    throw std::runtime_error(folder.lock().string() + ": another keeper holds this attempt");
  return lock;
}

FileDescriptor channel(const Launch& launch) {
  int listening = 0;
  socklen_t size = sizeof listening;
  if (::getsockopt(kInheritedSocket, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || !listening)
    return listen_at(launch.socket);
  ::fcntl(kInheritedSocket, F_SETFD, FD_CLOEXEC);
  return FileDescriptor(kInheritedSocket);
}

void keep(const AttemptFolder& folder) {
  FileDescriptor lock = hold_lock(folder);
  // A cluster may start a job again that has been started before.
  if (std::filesystem::exists(folder.exit()) || std::filesystem::exists(folder.events()))
    throw std::runtime_error(folder.root.string() + ": this attempt has run before");
  Launch launch = parse_launch(read_file(folder.launch()).value_or(""));
  if (launch.socket.empty()) launch.socket = attempt_socket_path(launch.id);
  FileDescriptor socket = channel(launch);
  const std::string path = launch.socket;
  AttemptKeeper(std::move(launch), folder, std::move(socket)).run();
  ::unlink(path.c_str());
}

}  // namespace

int keeper_main(const std::string& folder) {
  try {
    detach();
    keep({folder});
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "hpsearch keeper: %s\n", fault.what());
    return 1;
  }
}

}  // namespace hpsearch
