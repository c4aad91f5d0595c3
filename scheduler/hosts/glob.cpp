#include "scheduler/hosts/glob.h"

#include <fnmatch.h>

#include <algorithm>

namespace hpsearch {

namespace {

constexpr std::string_view kAnyFolders = "**";

bool part_matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PATHNAME) == 0;
}

}  // namespace

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (!part.empty() && part != ".") parts.emplace_back(part);
    path.remove_prefix(std::min(part.size() + 1, path.size()));
  }
  return parts;
}

Glob::Glob(std::string_view pattern) : parts_(path_parts(pattern)) {
  if (!parts_.empty() && parts_.back() == kAnyFolders) parts_.push_back("*");
}

// A mismatch takes one more folder into the last ** before it: an earlier one needs no second thought.
bool Glob::matches(std::string_view path) const {
  const std::vector<std::string> names = path_parts(path);
  std::size_t part = 0, name = 0, after_any = 0, any_from = 0;
  while (name < names.size()) {
    if (part < parts_.size() && parts_[part] == kAnyFolders) {
      after_any = ++part;
      any_from = name;
    } else if (part < parts_.size() && part_matches(parts_[part], names[name])) {
      ++part, ++name;
    } else if (after_any > 0) {
      part = after_any;
      name = ++any_from;
    } else {
      return false;
    }
  }
  return part == parts_.size();
}

bool Glob::reaches_below(std::string_view folder) const {
  const std::vector<std::string> names = path_parts(folder);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < parts_.size() && parts_[i] == kAnyFolders) return true;
    if (i >= parts_.size() || !part_matches(parts_[i], names[i])) return false;
  }
  return parts_.size() > names.size();
}

}  // namespace hpsearch
