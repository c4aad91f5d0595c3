#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>

#include "scheduler/hosts/file_tree.h"
#include "scheduler/hosts/sha256.h"
#include "trials/json_scanner.h"

namespace hpsearch {

namespace {

Json file_json(const TreeFile& file) {
  if (!file.link.empty()) return {{"path", file.path}, {"link", file.link}};
  Json json = {{"path", file.path}, {"size", file.size}, {"hash", file.hash}};
  if (file.executable) json["executable"] = true;
  return json;
}

void require(bool holds, const std::string& path, const char* fault) {
  if (!holds) throw std::invalid_argument("tree: " + json_quoted(path) + ": " + fault);
}

bool is_text(const std::string& text) {
  return !text.empty() && valid_utf8(text) && text.find('\0') == std::string::npos;
}

// Written as tree_of writes it: names only, separated by single slashes.
bool stays_below(const std::string& path) {
  std::string plain;
  for (const std::string& part : path_parts(path)) {
    if (part == "..") return false;
    plain += (plain.empty() ? "" : "/") + part;
  }
  return plain == path;
}

std::int64_t size_of(const Json& json, const std::string& path) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const Json& size = json.at("size");
  const bool fits = size.is_number_unsigned() ? size.get<std::uint64_t>() <= std::uint64_t{kMost}
                                              : size.is_number_integer() && size.get<std::int64_t>() >= 0;
  require(fits, path, "its size is none");
  return size;
}

TreeFile parse_file(const Json& json) {
  TreeFile file;
  file.path = json.at("path").get<std::string>();
  if (!is_text(file.path)) throw std::invalid_argument("tree: a path that is empty or no text");
  require(stays_below(file.path), file.path, "not a path below the folder");
  if (json.contains("link")) {
    file.link = json.at("link").get<std::string>();
    require(is_text(file.link) && link_stays_inside(file.path, file.link), file.path, "its link leads out");
    return file;
  }
  file.hash = json.at("hash").get<std::string>();
  require(is_sha256_hex(file.hash), file.path, "its hash is none");
  file.size = size_of(json, file.path);
  file.executable = json.value("executable", false);
  return file;
}

void check_places(const FileTree& tree) {
  std::set<std::string_view> paths;
  for (const TreeFile& file : tree.files) require(paths.insert(file.path).second, file.path, "is there twice");
  for (const TreeFile& file : tree.files)
    for (std::size_t slash = 0; (slash = file.path.find('/', slash)) != std::string::npos; ++slash)
      require(!paths.contains(std::string_view(file.path).substr(0, slash)), file.path, "lies below a file or link");
}

void check_sum(const FileTree& tree) {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  for (const TreeFile& file : tree.files) {
    require(file.size <= left, file.path, "too many bytes");
    left -= file.size;
  }
}

}  // namespace

Json tree_json(const FileTree& tree) {
  Json files = Json::array();
  for (const TreeFile& file : tree.files) files.push_back(file_json(file));
  return {{"files", std::move(files)}};
}

FileTree parse_tree(const Json& json) try {
  FileTree tree;
  if (!json.at("files").is_array()) throw std::invalid_argument("tree: its files are no list");
  for (const Json& file : json.at("files")) tree.files.push_back(parse_file(file));
  std::ranges::sort(tree.files, {}, &TreeFile::path);
  check_places(tree);
  check_sum(tree);
  return tree;
} catch (const Json::exception& error) {
  throw std::invalid_argument(std::string("tree: ") + error.what());
}

}  // namespace hpsearch
