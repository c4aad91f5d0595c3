#include "scheduler/hosts/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

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

// Where sockets may lie, best place first. XDG_RUNTIME_DIR counts only when it is this user's.
std::vector<fs::path> places() {
  std::vector<fs::path> places;
  const auto given = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value && *value == '/' ? value : "");
  };
  const fs::path runtime = given("XDG_RUNTIME_DIR"), temporary = given("TMPDIR");
  const std::string name = "hpsearch-" + std::to_string(::geteuid());
  if (!runtime.empty() && own_folder(runtime)) places.push_back(runtime / "hpsearch");
  if (!temporary.empty()) places.push_back(temporary / name);
  places.push_back(fs::path("/tmp") / name);
  std::erase_if(places, [](const fs::path& place) { return !fits(place); });
  return places;
}

// Empty where the folder can be used, else the reason why not.
std::string made(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return folder.string() + ": " + std::strerror(errno);
  if (!own_folder(folder) || !closed_to_others(folder))
    return folder.string() + ": not a folder of yours alone (mode 0700); remove it";
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? "" : folder.string() + ": " + std::strerror(errno);
}

fs::path socket_folder() {
  std::string faults;
  for (const fs::path& place : places()) {
    const std::string fault = made(place);
    if (fault.empty()) return place;
    faults += "; " + fault;
  }
  throw std::runtime_error("no folder for sockets (XDG_RUNTIME_DIR, TMPDIR, /tmp)" + faults);
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
