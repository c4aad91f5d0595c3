#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hpsearch {

// A pattern for relative paths, matched part by part: *, ? and [a-z] as in a shell, within a part, names that start
// with a dot included; \ takes the meaning from what follows it; ** as a whole part is any number of folders, and at
// the end whatever lies below. Empty parts and "." count for nothing: "./a//b/" is "a/b". "" and "." match "".
class Glob {
 public:
  explicit Glob(std::string_view pattern);

  bool matches(std::string_view path) const;
  // Whether some path below `folder` may match: a walk need not enter the others.
  bool reaches_below(std::string_view folder) const;

 private:
  std::vector<std::string> parts_;
};

// The parts between slashes, but for empty ones and ".".
std::vector<std::string> path_parts(std::string_view path);

}  // namespace hpsearch
