#include "tree_lab.h"

#include <algorithm>
#include <fstream>

#include "scheduler/hosts/sha256.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch::testing {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string text_of(const fs::path& file) { return read_file(file).value(); }

std::string hash_of(const std::string& text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

int send(const FileTree& tree, const fs::path& folder, const TreeStore& store, std::size_t piece) {
  const std::vector<std::string> hashes = store.missing(tree);
  for (const std::string& hash : hashes) {
    const auto file = std::ranges::find(tree.files, hash, &TreeFile::hash);
    IncomingFile incoming = store.begin(hash, file->size);
    std::ifstream in(folder / file->path, std::ios::binary);
    for (std::string bytes(piece, '\0'); in.read(bytes.data(), static_cast<std::streamsize>(piece)), in.gcount() > 0;)
      incoming.append({bytes.data(), static_cast<std::size_t>(in.gcount())});
    incoming.finish();
  }
  return static_cast<int>(hashes.size());
}

std::vector<std::string> paths(const FileTree& tree) {
  std::vector<std::string> names;
  for (const TreeFile& file : tree.files) names.push_back(file.path);
  return names;
}

int entries_below(const fs::path& folder) {
  if (!fs::exists(folder)) return 0;
  return static_cast<int>(std::distance(fs::recursive_directory_iterator(folder), {}));
}

void expect_chosen(const std::string& rule, const std::function<bool(std::string_view)>& chooses, const Paths& chosen, const Paths& others) {
  for (const std::string_view path : chosen) EXPECT_TRUE(chooses(path)) << rule << " and " << path;
  for (const std::string_view path : others) EXPECT_FALSE(chooses(path)) << rule << " and " << path;
}

}  // namespace hpsearch::testing
