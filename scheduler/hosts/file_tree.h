#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scheduler/hosts/ignore_rules.h"
#include "trials/json.h"

namespace hpsearch {

// A file of a tree, or a symbolic link in it.
struct TreeFile {
  std::string path;       // Below the tree's folder, parts separated by "/"; UTF-8.
  std::int64_t size = 0;  // Bytes; 0 for a link.
  bool executable = false;
  std::string hash;       // SHA-256 of the contents, in hexadecimal; empty for a link.
  std::string link;       // What a link points to, from its own folder; empty for a file.

  bool operator==(const TreeFile&) const = default;
};

// What lies below a folder, with hashes for the contents: enough to tell what another machine lacks, and to make the
// folder anew from contents found by their hashes. Empty folders, times and owners are not kept.
struct FileTree {
  std::vector<TreeFile> files;  // Sorted by path, byte by byte.

  // A hash of it all: trees with the same id unpack to the same.
  std::string id() const;
  std::int64_t bytes() const;

  bool operator==(const FileTree&) const = default;
};

// Everything below `folder`, read once for the hashes: for checkpoints and artifacts. A link is kept as one when it
// points into the folder (an absolute one as relative, so that it holds elsewhere). Sockets, pipes and devices are left
// out, as are files that vanish meanwhile. Throws UserError naming the path for a link that leads out, or back up after
// going down, and for a name that is not UTF-8; std::system_error for what can't be read.
FileTree tree_of(const std::filesystem::path& folder);

// A snapshot of code: of all that, what matches one of `patterns` (see Glob; from `folder` on) or lies below a folder
// that does, and isn't ignored. "." is everything. Folders that can't hold any of it are not looked into. Throws
// UserError also when a pattern is absolute, contains ".." or takes no file, and, before anything is read, when the
// files are more than `limit_bytes`.
FileTree tree_of(const std::filesystem::path& folder, const std::vector<std::string>& patterns,
                 const IgnoreRules& ignored, std::int64_t limit_bytes);

// {"files": [{"path", "size", "hash"[, "executable": true]} | {"path", "link"}]}
Json tree_json(const FileTree& tree);

// Trusts nothing: throws std::invalid_argument unless every path and link stays below the folder, every path is there
// once and below no file or link, and every hash is one.
FileTree parse_tree(const Json& json);

// Whether a link at `path` points into its tree, whatever other links do: its target, relative, first climbs, no higher
// than the tree, and then only descends.
bool link_stays_inside(const std::string& path, const std::string& target);

}  // namespace hpsearch
