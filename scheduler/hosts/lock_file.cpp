#include "scheduler/hosts/lock_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kEverybody = 0666;
// In a folder where everybody may write, a name may be somebody's link to a file of the user's.
constexpr int kOpenFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;

std::string lock_path(const std::string& name) { return (lock_folder() / name).string(); }

[[noreturn]] void refuse(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), path);
}

void check(const FileDescriptor& file, const std::string& path) {
  struct stat entry {};
  if (::fstat(file.get(), &entry) != 0) refuse(path, errno);
  if (!S_ISREG(entry.st_mode) || entry.st_nlink > 1) refuse(path, EINVAL);
  // Whoever created it may have died before it was open to all, and only the owner can mend that.
  if (entry.st_uid == ::geteuid() && (entry.st_mode & kEverybody) != kEverybody) ::fchmod(file.get(), kEverybody);
}

FileDescriptor open_as(const std::string& path, int flags) {
  FileDescriptor file(::open(path.c_str(), kOpenFlags | flags, kEverybody));
  if (file.open()) check(file, path);
  return file;
}

}  // namespace

fs::path lock_folder() {
  if (const char* folder = std::getenv("HPSEARCH_LOCK_DIR"); folder && *folder) return folder;
  struct stat entry {};
  const char* system = "/run/lock";
  return ::stat(system, &entry) == 0 && S_ISDIR(entry.st_mode) && (entry.st_mode & S_IWOTH) ? system : "/tmp";
}

// First without O_CREAT: where fs.protected_regular is on, as on most systems, opening another user's file in a sticky folder
// *with* it is refused, to root too. The mode is set afterwards because the umask cuts the one that open is given.
FileDescriptor open_lock_file(const std::string& name) {
  const std::string path = lock_path(name);
  for (int tries = 0; tries < 3; ++tries) {
    FileDescriptor file = open_as(path, 0);
    if (!file.open() && errno == ENOENT) file = open_as(path, O_CREAT | O_EXCL);
    if (file.open()) return file;
    if (errno != EEXIST && errno != ENOENT) break;  // Else another user was faster, or removed it.
  }
  refuse(path, errno);
}

std::optional<FileDescriptor> open_old_lock_file(const std::string& name) {
  FileDescriptor file(::open(lock_path(name).c_str(), kOpenFlags));
  return file.open() ? std::optional(std::move(file)) : std::nullopt;
}

bool still_named(const FileDescriptor& file, const std::string& name) {
  struct stat ours {}, named {};
  return ::fstat(file.get(), &ours) == 0 && ::stat(lock_path(name).c_str(), &named) == 0 && ours.st_ino == named.st_ino &&
         ours.st_dev == named.st_dev;
}

}  // namespace hpsearch
