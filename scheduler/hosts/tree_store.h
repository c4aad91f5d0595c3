#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scheduler/hosts/file_tree.h"
#include "scheduler/hosts/incoming_file.h"

namespace hpsearch {

// What may be done with the files of an unpacked tree.
enum class TreeUse {
  read,   // Shared with the store where the disk can (hard links), and write-protected.
  change  // Copies.
};

// Contents of files by their hash, in a folder: what a host has already been sent. Any number of processes may use it
// at once. Whatever the disk refuses is thrown as std::system_error. Interrupted additions of killed processes stay in
// its incoming/ until somebody clears it.
class TreeStore {
 public:
  // The folder is made when something is first put into it.
  explicit TreeStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The hashes whose contents are not here, or damaged (of another size); each once, in the tree's order.
  std::vector<std::string> missing(const FileTree& tree) const;
  // Contents to be added. Throws std::invalid_argument when `hash` is none or `size` is negative.
  IncomingFile begin(const std::string& hash, std::int64_t size) const;
  // Makes `target` and the folders above it. It appears whole or not at all; one that exists is left as it is, also
  // when another process was faster. `tree` is from tree_of or parse_tree. Throws std::system_error when contents are
  // missing or damaged.
  void unpack(const FileTree& tree, const std::filesystem::path& target, TreeUse use) const;
  // Where the contents are, once they are. Throws std::invalid_argument when `hash` is none.
  std::filesystem::path file(const std::string& hash) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace hpsearch
