#include "store/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace hpsearch {

namespace {

// f_type of statfs(2), from the Linux man page and the kernels' own headers.
constexpr std::pair<std::uint32_t, const char*> kNetworks[] = {
    {0x6969, "NFS"},         {0x517B, "SMB"},      {0xFF534D42, "CIFS"},  {0xFE534D42, "SMB"},   {0x0BD00BD0, "Lustre"},
    {0x47504653, "GPFS"},    {0x65735546, "FUSE"}, {0x00C36400, "Ceph"},  {0x19830326, "BeeGFS"}, {0x01021997, "9p"},
    {0x5346414F, "AFS"},     {0x01161970, "GFS2"}, {0x7461636F, "OCFS2"},
};

}  // namespace

FileSystem probe_file_system(const std::filesystem::path& folder) {
  struct statfs info;
  if (statfs(folder.c_str(), &info) != 0) return {};
  for (const auto& [type, name] : kNetworks)
    if (static_cast<std::uint32_t>(info.f_type) == type) return {name, locks_work(folder)};
  return {};
}

bool locks_work(const std::filesystem::path& folder) {
  std::string name = (folder / ".hpsearch-lock-probe-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return true;  // A folder that can't be written is another fault, told elsewhere.
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool granted = fcntl(file, F_SETLK, &lock) == 0;
  close(file);
  unlink(name.c_str());
  return granted;
}

bool writable(const std::filesystem::path& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return false;
  return (info.st_mode & 0222) != 0 && access(path.c_str(), W_OK) == 0;
}

}  // namespace hpsearch
