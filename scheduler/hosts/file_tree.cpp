#include "scheduler/hosts/file_tree.h"

#include <algorithm>

#include "scheduler/hosts/sha256.h"

namespace hpsearch {

std::string FileTree::id() const {
  Sha256 listing;
  for (const TreeFile& file : files) {
    const std::string kind = !file.link.empty() ? "link" : file.executable ? "program" : "file";
    const std::string& contents = file.link.empty() ? file.hash : file.link;
    listing.update(kind + '\0' + file.path + '\0' + contents + '\0');  // No name contains a NUL.
  }
  return listing.hex();
}

std::int64_t FileTree::bytes() const {
  std::int64_t sum = 0;
  for (const TreeFile& file : files) sum += file.size;
  return sum;
}

bool link_stays_inside(const std::string& path, const std::string& target) {
  auto height = std::count(path.begin(), path.end(), '/');
  bool descended = false;
  if (target.empty() || target.front() == '/') return false;
  for (const std::string& part : path_parts(target)) {
    if (part != "..") descended = true;
    else if (descended || --height < 0) return false;
  }
  return true;
}

}  // namespace hpsearch
