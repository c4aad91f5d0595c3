#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <system_error>

#include "scheduler/hosts/file_io.h"
#include "scheduler/hosts/file_tree.h"
#include "scheduler/hosts/sha256.h"
#include "scheduler/hosts/text_file.h"
#include "trials/json_scanner.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBiggestNamed = 3;

std::string in_quotes(const std::string& name) { return json_quoted(as_utf8(name)); }

// A pattern of a snapshot, and whether it has taken a file.
struct SnapshotPattern {
  explicit SnapshotPattern(const std::string& pattern)
      : text(pattern), glob(pattern), folders_only(pattern.ends_with('/')) {
    const std::vector<std::string> parts = path_parts(pattern);
    if (pattern.empty() || pattern.front() == '/' || std::count(parts.begin(), parts.end(), "..") > 0)
      throw UserError(in_quotes(pattern) + " must name files below the folder, from the folder on, without \"..\"");
  }

  std::string text;
  Glob glob;
  bool folders_only;
  bool used = false;
};

// `target` as seen from the folder of `path`, when it is absolute and lies below `root`; as it is otherwise.
std::string relative_target(const std::string& target, const fs::path& root, const std::string& path) {
  const fs::path plain = fs::path(target).lexically_normal();
  const fs::path below = plain.lexically_relative(root);
  if (!plain.is_absolute() || below.empty() || *below.begin() == "..") return target;
  return plain.lexically_relative((root / path).parent_path()).string();
}

// Goes through a folder and lists what its patterns take, not hashed yet.
class TreeWalk {
 public:
  TreeWalk(const fs::path& folder, const std::vector<std::string>& patterns, const IgnoreRules* ignored)
      : folder_(folder), patterns_(patterns.begin(), patterns.end()), ignored_(ignored) {
    visit("", claims_on("", true, Claims(patterns_.size())));
    std::ranges::sort(files_, {}, &TreeFile::path);
  }

  const std::vector<SnapshotPattern>& patterns() const { return patterns_; }
  const std::vector<TreeFile>& files() const { return files_; }

 private:
  using Claims = std::vector<bool>;  // By pattern: whether it takes an entry, itself or with a folder above.

  // Those on the folder above, and those of patterns that match the entry itself.
  Claims claims_on(const std::string& path, bool is_folder, Claims claims) const {
    for (std::size_t i = 0; i < patterns_.size(); ++i)
      if ((is_folder || !patterns_[i].folders_only) && patterns_[i].glob.matches(path)) claims[i] = true;
    return claims;
  }

  bool wanted(const std::string& folder, const Claims& claims) const {
    return std::count(claims.begin(), claims.end(), true) > 0 ||
           std::any_of(patterns_.begin(), patterns_.end(),
                       [&](const SnapshotPattern& pattern) { return pattern.glob.reaches_below(folder); });
  }

  void visit(const std::string& path, const Claims& claims) {
    std::error_code error;
    fs::directory_iterator entry(folder_ / path, error);
    if (error == std::errc::no_such_file_or_directory && !path.empty()) return;
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      meet((path.empty() ? "" : path + "/") + entry->path().filename().string(), claims);
    if (error) throw std::system_error(error, (folder_ / path).string());
  }

  void meet(const std::string& path, const Claims& above) {
    struct stat info {};
    if (::lstat((folder_ / path).c_str(), &info) != 0) {
      if (errno == ENOENT) return;
      throw_errno(folder_ / path);
    }
    const bool is_folder = S_ISDIR(info.st_mode);
    if (ignored_ && ignored_->ignores(path, is_folder)) return;
    const Claims own = claims_on(path, is_folder, above);
    if (is_folder) {
      if (wanted(path, own)) visit(path, own);
    } else if (std::count(own.begin(), own.end(), true) > 0 && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))) {
      take(path, info);
      for (std::size_t i = 0; i < own.size(); ++i) patterns_[i].used |= own[i];
    }
  }

  void take(const std::string& path, const struct stat& info) {
    if (!valid_utf8(path))
      throw UserError(in_quotes(folder_ / path) + ": a name that is not UTF-8 can't be sent; rename it");
    if (S_ISREG(info.st_mode)) {
      files_.push_back({path, info.st_size, (info.st_mode & S_IXUSR) != 0, "", ""});
    } else {
      std::error_code gone;
      const fs::path target = fs::read_symlink(folder_ / path, gone);
      if (!gone) files_.push_back({path, 0, false, "", link_text(path, target)});
    }
  }

  std::string link_text(const std::string& path, const std::string& written) const {
    const fs::path as_named = fs::absolute(folder_ / ".").lexically_normal().parent_path();
    std::string target = relative_target(written, as_named, path);
    if (target == written) target = relative_target(written, fs::canonical(folder_), path);
    if (!link_stays_inside(path, target) || !valid_utf8(target))
      throw UserError(in_quotes(folder_ / path) + ": a link to " + in_quotes(written) +
                      " can't be sent: it leads out of " + folder_.string());
    return target;
  }

  fs::path folder_;
  std::vector<SnapshotPattern> patterns_;
  const IgnoreRules* ignored_;
  std::vector<TreeFile> files_;
};

std::string size_text(std::int64_t bytes) {
  char text[32];
  if (bytes < 1'000'000) return std::to_string(bytes) + " bytes";
  std::snprintf(text, sizeof text, bytes < 1'000'000'000 ? "%.1f MB" : "%.2f GB",
                static_cast<double>(bytes) / (bytes < 1'000'000'000 ? 1e6 : 1e9));
  return text;
}

void check_limit(const fs::path& folder, FileTree tree, std::int64_t limit_bytes) {
  if (tree.bytes() <= limit_bytes) return;
  std::string text = folder.string() + ": the files to send come to " + size_text(tree.bytes()) +
                     ", more than the limit of " + size_text(limit_bytes) + "; the biggest are";
  std::ranges::stable_sort(tree.files, std::greater{}, &TreeFile::size);
  tree.files.resize(std::min(tree.files.size(), kBiggestNamed));
  for (const TreeFile& file : tree.files) text += " " + json_quoted(file.path) + " (" + size_text(file.size) + "),";
  text.back() = '.';
  throw UserError(text + " A line in .hpsearchignore leaves a file or folder out");
}

// Sets size and hash to what is read now. False when the file is gone.
bool hash_file(TreeFile& file, const fs::path& place) {
  const FileDescriptor fd(::open(place.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.open() && errno == ENOENT) return false;
  if (!fd.open()) throw_errno(place);
  Sha256 hash;
  file.size = 0;
  char buffer[1 << 16];
  for (std::string_view bytes; !(bytes = read_next(fd.get(), buffer, place)).empty();) {
    hash.update(bytes);
    file.size += static_cast<std::int64_t>(bytes.size());
  }
  file.hash = hash.hex();
  return true;
}

FileTree hashed(const std::vector<TreeFile>& found, const fs::path& folder) {
  FileTree tree;
  for (TreeFile file : found)
    if (!file.link.empty() || hash_file(file, folder / file.path)) tree.files.push_back(std::move(file));
  return tree;
}

}  // namespace

FileTree tree_of(const fs::path& folder) {
  return hashed(TreeWalk(folder, {"."}, nullptr).files(), folder);
}

FileTree tree_of(const fs::path& folder, const std::vector<std::string>& patterns, const IgnoreRules& ignored,
                 std::int64_t limit_bytes) {
  const TreeWalk walk(folder, patterns, &ignored);
  for (const SnapshotPattern& pattern : walk.patterns())
    if (!pattern.used)
      throw UserError(in_quotes(pattern.text) + " matches no file in " + folder.string() +
                      " but what is left out (.hpsearchignore, .git, hpsearch-studies, __pycache__)");
  check_limit(folder, {walk.files()}, limit_bytes);
  return hashed(walk.files(), folder);
}

}  // namespace hpsearch
