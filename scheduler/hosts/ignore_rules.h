#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/hosts/glob.h"

namespace hpsearch {

// What stays out of a snapshot of code: whatever is named .git, hpsearch-studies or __pycache__, and what the rules
// say, one a line as in a .gitignore: # comments; a pattern with a slash before its end starts at the folder, another
// may match at any depth; a slash at the end means folders only; ! takes back what an earlier line ignored, unless a
// folder above it is ignored; the last line that matches counts. The patterns are those of Glob.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text = "");

  // `path` is relative to the folder. Asked of folders first: what lies below an ignored one is ignored unasked.
  bool ignores(const std::string& path, bool is_folder) const;

 private:
  struct Rule {
    Glob glob;
    bool folders_only, ignored;
  };
  void add(std::string_view line);

  std::vector<Rule> rules_;
};

// The rules of FOLDER/.hpsearchignore; without that file, none.
IgnoreRules ignore_rules_of(const std::filesystem::path& folder);

}  // namespace hpsearch
