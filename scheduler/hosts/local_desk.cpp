#include "scheduler/hosts/local_desk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <vector>

#include "scheduler/hosts/file_io.h"
#include "scheduler/hosts/file_tree.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;

// A name as a pattern that takes nothing else.
std::string literal(const std::string& name) {
  std::string pattern;
  for (char c : name) {
    if (std::string_view("*?[]\\!").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

FileTree tree_at(const fs::path& folder, const Json& word) {
  if (!word.contains("only")) return tree_of(folder);
  std::vector<std::string> patterns;
  for (const Json& name : word["only"]) patterns.push_back(literal(name));
  return tree_of(folder, patterns, IgnoreRules(), kNoLimit);
}

// `fresh` takes the place of what is at `place`, if anything: at one stroke, where the disk can.
void take_place(const fs::path& fresh, const fs::path& place) {
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) return void(fs::remove_all(fresh));
  if (fs::is_directory(place) || fs::is_directory(fresh)) fs::remove_all(place);
  fs::rename(fresh, place);
}

// The tree's top entries take the place of those in `target`; whatever else is there goes, or stays.
void replace_entries(const TreeStore& store, const FileTree& tree, const fs::path& target, bool others_stay) {
  const fs::path fresh = target.string() + ".new";
  fs::remove_all(fresh);
  store.unpack(tree, fresh, TreeUse::change);
  if (!others_stay || !fs::exists(target)) return take_place(fresh, target);
  const std::vector<fs::directory_entry> entries(fs::directory_iterator(fresh), {});
  for (const auto& entry : entries) take_place(entry.path(), target / entry.path().filename());
  fs::remove_all(fresh);
}

}  // namespace

struct LocalDesk::Clerk {
  fs::path root;
  std::map<std::string, IncomingFile> incoming;  // By store and hash.

  static std::string key_of(const Json& word) { return word.value("store", "") + "/" + word.value("hash", ""); }

  fs::path path(const Json& word, const char* key) const {
    const fs::path given = word.at(key).get<std::string>();
    if (root.empty()) return given;
    for (const fs::path& part : given)
      if (part == ".." || given.is_absolute()) throw std::invalid_argument("a path that leads out: " + given.string());
    return root / given;
  }

  TreeStore store(const Json& word) const { return TreeStore(path(word, "store")); }

  Json obey(const Json& word, std::string& bytes) {
    const std::string what = word.at("do");
    if (what == "tree") return {{"tree", tree_json(tree_at(path(word, "path"), word))}};
    if (what == "snapshot") return snapshot(word);
    if (what == "read") return read(word, bytes);
    if (what == "missing") return {{"missing", store(word).missing(parse_tree(word.at("tree")))}};
    if (what == "write") return write(word, bytes);
    if (what == "unpack") {
      const TreeUse use = word.at("use") == "read" ? TreeUse::read : TreeUse::change;
      store(word).unpack(parse_tree(word.at("tree")), path(word, "path"), use);
    } else if (what == "replace" || what == "merge") {
      replace_entries(store(word), parse_tree(word.at("tree")), path(word, "path"), what == "merge");
    } else if (what == "delete") {
      fs::remove_all(path(word, "path"));
    } else {
      throw std::invalid_argument("no such word: " + what);
    }
    return Json::object();
  }

  Json snapshot(const Json& word) const {
    const fs::path folder = path(word, "path");
    return {{"tree", tree_json(tree_of(folder, word.at("patterns"), ignore_rules_of(folder), word.at("limit")))}};
  }

  Json read(const Json& word, std::string& bytes) const {
    const fs::path file = path(word, "path");
    const FileDescriptor fd = open_file(file, O_RDONLY);
    if (::lseek(fd.get(), word.at("offset").get<off_t>(), SEEK_SET) < 0) throw_errno(file);
    std::string buffer(kFileChunk, '\0');
    for (std::string_view next; bytes.size() < kFileChunk && !(next = read_next(fd.get(), buffer, file)).empty();)
      bytes += next.substr(0, kFileChunk - bytes.size());
    return {{"end", bytes.size() < kFileChunk}};
  }

  Json write(const Json& word, std::string& bytes) {
    const std::string hash = word.at("hash"), key = key_of(word);
    if (word.at("offset") == 0) incoming.erase(key);  // Begun before the connection was cut.
    auto file = incoming.find(key);
    if (file == incoming.end()) file = incoming.emplace(key, store(word).begin(hash, word.at("size"))).first;
    file->second.append(bytes);
    bytes.clear();
    if (word.at("end").get<bool>()) {
      file->second.finish();
      incoming.erase(file);
    }
    return Json::object();
  }

  Json answer(const Json& word, std::string& bytes) {
    try {
      return obey(word, bytes);
    } catch (const std::exception& fault) {
      bytes.clear();
      if (word.value("do", "") == "write") incoming.erase(key_of(word));
      return {{"fault", fault.what()}};
    }
  }
};

LocalDesk::LocalDesk(boost::asio::io_context& io, fs::path root) : io_(io), clerk_(new Clerk{std::move(root), {}}) {}

LocalDesk::~LocalDesk() { thread_.join(); }

void LocalDesk::ask(const Json& word, std::string bytes, Reply reply) {
  auto work = boost::asio::make_work_guard(io_);
  boost::asio::post(thread_, [this, word, bytes = std::move(bytes), reply = std::move(reply), work]() mutable {
    Json answer = clerk_->answer(word, bytes);
    boost::asio::post(io_, [reply = std::move(reply), answer = std::move(answer), bytes = std::move(bytes),
                            alive = std::weak_ptr(alive_)]() mutable {
      if (!alive.expired()) reply(answer, std::move(bytes));
    });
  });
}

}  // namespace hpsearch
