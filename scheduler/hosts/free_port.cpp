#include "scheduler/hosts/free_port.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

int free_port() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (!socket.open() || ::bind(socket.get(), any, size) != 0 || ::getsockname(socket.get(), any, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "a port for the ranks");
  return ntohs(address.sin_port);
}

}  // namespace hpsearch
