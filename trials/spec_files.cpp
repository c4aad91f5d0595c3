#include <algorithm>

#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

bool leaves_folder(const std::string& pattern) {
  for (std::size_t begin = 0; begin <= pattern.size();) {
    const std::size_t end = std::min(pattern.find('/', begin), pattern.size());
    if (pattern.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

std::vector<std::string> read_file_patterns(const Field& field) {
  std::vector<std::string> patterns;
  for (const Field& item : field.items("a list of names and patterns, as [\"train.py\", \"src\", \"*.json\"]")) {
    const auto pattern = item.name();
    if (!pattern) continue;
    if (pattern->starts_with("/") || pattern->starts_with("~/"))
      item.fault("must be relative to the space file's folder, not " + shown(item.value()));
    if (leaves_folder(*pattern)) item.fault("must stay in the space file's folder, without \"..\"");
    patterns.push_back(*pattern);
  }
  return patterns;
}

}  // namespace

std::optional<FilesSpec> read_files(const Fields& root) {
  const auto field = root.find("files");
  if (!field) return std::nullopt;
  FilesSpec files;
  if (!field->value().is_object()) {
    files.patterns = read_file_patterns(*field);
    return files;
  }
  const Fields fields(*field, "files");
  if (const auto patterns = fields.require("patterns", "[\"train.py\", \"src\"]"))
    files.patterns = read_file_patterns(*patterns);
  if (const auto limit = fields.find("limit")) files.limit = read_bytes(*limit).value_or(files.limit);
  return files;
}

}  // namespace hpsearch
