#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/file_desk.h"
#include "scheduler/hosts/file_tree.h"

namespace hpsearch {

// Copies what lies in a folder of one machine to a folder of another: only contents that the other lacks travel.
class TreeCopy {
 public:
  struct Order {
    Json what;                 // {"do": "tree" | "snapshot", "path", ...} for the machine it comes from.
    std::string store;         // Where contents are gathered on the one it goes to.
    Json place;                // {"do": "unpack" | "replace" | "merge", "path", ...} for that one; "{tree}" in the path is the tree's id.
    bool keep_store = false;   // Contents stay for the next copy.
  };

  // `done` is called once: with an empty fault and the tree when all of it lies there. The desks must live until then.
  using Done = std::function<void(const std::string& fault, const FileTree& tree)>;
  TreeCopy(FileDesk& from, FileDesk& to, Order order, Done done);

 private:
  void look();
  void compare(const Json& answer);
  void next_file();
  void next_chunk(std::int64_t offset);
  void place();
  void end(const std::string& fault);
  FileDesk::Reply step(std::function<void(const Json&, std::string)> then);

  FileDesk &from_, &to_;
  Order order_;
  Done done_;
  FileTree tree_;
  std::vector<TreeFile> missing_;  // Last first.
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // Replies may come after it has gone.
};

}  // namespace hpsearch
