#include "scheduler/hosts/instance_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

namespace hpsearch {

namespace fs = std::filesystem;

FileDescriptor lock_instance(const fs::path& file) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  return lock.open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(lock) : FileDescriptor();
}

bool instance_locked(const fs::path& file) {
  const FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  return lock.open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace hpsearch
