#include "scheduler/hosts/tree_store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <set>
#include <stdexcept>
#include <system_error>

#include "scheduler/hosts/file_io.h"
#include "scheduler/random_hex.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

// A folder in the making beside its target; it goes away unless it becomes the target.
class FolderDraft {
 public:
  explicit FolderDraft(const fs::path& target)
      : target_(target), path_(target.string() + "." + random_hex(4) + ".new") {
    fs::create_directories(target.parent_path());
    fs::create_directory(path_);
  }
  ~FolderDraft() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  FolderDraft(const FolderDraft&) = delete;
  FolderDraft& operator=(const FolderDraft&) = delete;

  const fs::path& path() const { return path_; }

  // Another process may have been faster: its folder stays.
  void become_target() const {
    if (::rename(path_.c_str(), target_.c_str()) == 0) return;
    const int reason = errno;
    if (!fs::is_directory(target_)) throw std::system_error(reason, std::generic_category(), target_.string());
  }

 private:
  fs::path target_, path_;
};

void check_size(const fs::path& stored, std::int64_t size) {
  struct stat info {};
  if (::stat(stored.c_str(), &info) != 0) throw_errno(stored);
  if (info.st_size != size)
    throw std::system_error(EIO, std::generic_category(),
                            stored.string() + ": damaged: not " + std::to_string(size) + " bytes");
}

void copy_bytes(const FileDescriptor& from, const FileDescriptor& to, const fs::path& source, const fs::path& copy) {
  constexpr std::size_t kMost = 1 << 30;
  while (::copy_file_range(from.get(), nullptr, to.get(), nullptr, kMost, 0) > 0) continue;
  // Not every pair of disks can do it without us: the rest by hand.
  char buffer[1 << 16];
  for (std::string_view bytes; !(bytes = read_next(from.get(), buffer, source)).empty();)
    write_bytes(to.get(), bytes, copy);
}

void put_file(const TreeFile& file, const fs::path& stored, const fs::path& place, TreeUse use) {
  check_size(stored, file.size);
  // Names of one file share its mode: programs are copied.
  if (use == TreeUse::read && !file.executable && ::link(stored.c_str(), place.c_str()) == 0) return;
  const mode_t mode = (use == TreeUse::read ? 0444 : 0666) | (file.executable ? 0111 : 0);
  const FileDescriptor from = open_file(stored, O_RDONLY), to = open_file(place, O_WRONLY | O_CREAT | O_EXCL, mode);
  copy_bytes(from, to, stored, place);
  sync_file(to.get(), place);
}

}  // namespace

fs::path TreeStore::file(const std::string& hash) const {
  if (!is_sha256_hex(hash)) throw std::invalid_argument("not the hash of any contents");
  return folder_ / hash;
}

std::vector<std::string> TreeStore::missing(const FileTree& tree) const {
  std::vector<std::string> hashes;
  std::set<std::string> seen;
  for (const TreeFile& wanted : tree.files) {
    struct stat info {};
    if (!wanted.link.empty() || !seen.insert(wanted.hash).second) continue;
    if (::stat(file(wanted.hash).c_str(), &info) != 0 || info.st_size != wanted.size) hashes.push_back(wanted.hash);
  }
  return hashes;
}

IncomingFile TreeStore::begin(const std::string& hash, std::int64_t size) const {
  if (size < 0) throw std::invalid_argument("contents of a negative size");
  const fs::path place = file(hash), drafts = folder_ / "incoming";
  fs::create_directories(drafts);
  return {place, drafts / random_hex(4), hash, size};
}

void TreeStore::unpack(const FileTree& tree, const fs::path& target, TreeUse use) const {
  const fs::path place = (fs::absolute(target) / ".").lexically_normal().parent_path();
  if (fs::is_directory(place)) return;
  const FolderDraft draft(place);
  for (const TreeFile& wanted : tree.files) {
    fs::create_directories((draft.path() / wanted.path).parent_path());
    if (wanted.link.empty()) put_file(wanted, file(wanted.hash), draft.path() / wanted.path, use);
  }
  // Last, so that nothing was written through a link.
  for (const TreeFile& wanted : tree.files)
    if (!wanted.link.empty()) fs::create_symlink(wanted.link, draft.path() / wanted.path);
  draft.become_target();
}

}  // namespace hpsearch
