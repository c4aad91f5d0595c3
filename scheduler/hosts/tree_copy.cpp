#include "scheduler/hosts/tree_copy.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace hpsearch {

TreeCopy::TreeCopy(FileDesk& from, FileDesk& to, Order order, Done done)
    : from_(from), to_(to), order_(std::move(order)), done_(std::move(done)) {
  static std::atomic<int> copies{0};  // Copies at the same time must not gather their contents in one place.
  if (!order_.keep_store) order_.store += "-" + std::to_string(++copies);
  look();
}

// A reply that goes on only when there was no fault.
FileDesk::Reply TreeCopy::step(std::function<void(const Json&, std::string)> then) {
  return [this, then = std::move(then), alive = std::weak_ptr(alive_)](const Json& answer, std::string bytes) {
    if (alive.expired()) return;
    if (answer.contains("fault")) return end(answer["fault"]);
    try {
      then(answer, std::move(bytes));
    } catch (const Json::exception& fault) {
      if (!alive.expired()) end(fault.what());
    } catch (const std::invalid_argument& fault) {
      if (!alive.expired()) end(fault.what());
    }
  };
}

void TreeCopy::look() {
  from_.ask(order_.what, "", step([this](const Json& answer, std::string) {
    tree_ = parse_tree(answer.at("tree"));
    to_.ask({{"do", "missing"}, {"store", order_.store}, {"tree", tree_json(tree_)}}, "",
            step([this](const Json& reply, std::string) { compare(reply); }));
  }));
}

void TreeCopy::compare(const Json& answer) {
  for (const std::string& hash : answer.at("missing").get<std::vector<std::string>>()) {
    const auto file = std::find_if(tree_.files.begin(), tree_.files.end(), [&](const TreeFile& f) { return f.hash == hash; });
    if (file != tree_.files.end()) missing_.push_back(*file);
  }
  next_file();
}

void TreeCopy::next_file() {
  if (missing_.empty()) return place();
  next_chunk(0);
}

void TreeCopy::next_chunk(std::int64_t offset) {
  const TreeFile& file = missing_.back();
  const std::string path = order_.what.at("path").get<std::string>() + "/" + file.path;
  from_.ask({{"do", "read"}, {"path", path}, {"offset", offset}}, "", step([this, offset](const Json& answer, std::string bytes) {
    const TreeFile& file = missing_.back();
    const std::int64_t reached = offset + static_cast<std::int64_t>(bytes.size());
    const bool end = answer.at("end").get<bool>() || reached >= file.size;
    to_.ask({{"do", "write"}, {"store", order_.store}, {"hash", file.hash}, {"size", file.size}, {"offset", offset}, {"end", end}}, std::move(bytes),
            step([this, end, reached](const Json&, std::string) {
              if (!end) return next_chunk(reached);
              missing_.pop_back();
              next_file();
            }));
  }));
}

void TreeCopy::place() {
  Json word = order_.place;
  std::string path = word.at("path");
  if (const auto at = path.find("{tree}"); at != std::string::npos) path.replace(at, 6, tree_.id());
  word["path"] = path;
  word["store"] = order_.store;
  word["tree"] = tree_json(tree_);
  to_.ask(word, "", step([this](const Json&, std::string) {
    if (order_.keep_store) return end("");
    to_.ask({{"do", "delete"}, {"path", order_.store}}, "", step([this](const Json&, std::string) { end(""); }));
  }));
}

void TreeCopy::end(const std::string& fault) {
  const Done done = std::move(done_);
  if (done) done(fault, tree_);
}

}  // namespace hpsearch
