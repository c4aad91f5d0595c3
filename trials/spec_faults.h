#pragma once

#include <map>
#include <string>
#include <vector>

#include "trials/json_document.h"

namespace hpsearch {

// What is wrong with a space file, gathered until all of it is checked.
class SpecFaults {
 public:
  // At the value that has `path`.
  void add(const std::string& path, const std::string& message) { faults_.push_back({path, path, message}); }
  // About a key that is absent from the object at `parent`.
  void add_missing(const std::string& parent, const std::string& key, const std::string& message) {
    faults_.push_back({json_path(parent, key), parent, message});
  }
  void warn(const std::string& path, const std::string& message) { warnings_.push_back(path + ": " + message); }

  const std::vector<std::string>& warnings() const { return warnings_; }
  std::size_t size() const { return faults_.size(); }
  // "space.json:7: params.lr.lwo: unknown key", one a line in the order of the file, the faults of `document` with
  // their columns. A path that `document` already finds fault with is named once.
  std::string text(const std::string& file, const JsonDocument& document) const;
  // The same without lines, for a document that comes from no file.
  std::string text(const std::string& name) const;

 private:
  struct Fault {
    std::string path, place, message;  // `place` is the path that has a line.
  };
  std::vector<Fault> faults_;
  std::vector<std::string> warnings_;
};

}  // namespace hpsearch
