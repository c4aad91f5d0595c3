#include "scheduler/hosts/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kNameLength = 1 + 32 + 5;  // "/<id>.sock"

bool fits(const fs::path& folder) { return folder.string().size() + kNameLength < sizeof(sockaddr_un::sun_path); }

bool own_folder(const fs::path& folder) {
  struct stat info {};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

bool closed_to_others(const fs::path& folder) {
  struct stat info {};
  return ::lstat(folder.c_str(), &info) == 0 && (info.st_mode & 077) == 0;
}

std::optional<fs::path> runtime_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (!runtime || *runtime != '/' || !own_folder(runtime)) return std::nullopt;
  const fs::path folder = fs::path(runtime) / "hpsearch";
  return fits(folder) ? std::optional(folder) : std::nullopt;
}

fs::path temporary_folder() {
  const std::string name = "hpsearch-" + std::to_string(::geteuid());
  const char* temporary = std::getenv("TMPDIR");
  if (temporary && *temporary == '/' && fits(fs::path(temporary) / name)) return fs::path(temporary) / name;
  return fs::path("/tmp") / name;
}

fs::path socket_folder() {
  const fs::path folder = runtime_folder().value_or(temporary_folder());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw std::system_error(errno, std::generic_category(), folder.string());
  if (!own_folder(folder) || !closed_to_others(folder))
    throw std::runtime_error(folder.string() + ": not a folder of yours alone (mode 0700); remove it");
  return folder;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw std::system_error(ENAMETOOLONG, std::generic_category(), path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

FileDescriptor new_socket() {
  FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.open()) throw std::system_error(errno, std::generic_category(), "socket");
  return fd;
}

}  // namespace

std::string attempt_socket_path(const std::string& attempt_id) {
  return (socket_folder() / (attempt_id.substr(0, 32) + ".sock")).string();
}

FileDescriptor listen_at(const std::string& path) {
  const sockaddr_un address = address_of(path);
  FileDescriptor fd = new_socket();
  ::unlink(path.c_str());
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(fd.get(), 128) != 0)
    throw std::system_error(errno, std::generic_category(), path);
  return fd;
}

FileDescriptor connect_to(const std::string& path) {
  const sockaddr_un address = address_of(path);
  FileDescriptor fd = new_socket();
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fd.close();
  return fd;
}

}  // namespace hpsearch
