#include "scheduler/hosts/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <memory>
#include <optional>

#include "scheduler/hosts/file_descriptor.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

const std::string kAttemptVariable = "HPSEARCH_ATTEMPT_ID=";

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr)
    if (const auto pid = parse_integer(entry->d_name)) pids.push_back(static_cast<pid_t>(*pid));
  return pids;
}

std::string proc_file(pid_t pid, const char* name) {
  const std::string path = "/proc/" + std::to_string(pid) + '/' + name;
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  for (ssize_t n; fd.open() && (n = ::read(fd.get(), buffer, sizeof buffer)) > 0;) text.append(buffer, n);
  return text;
}

struct Stat {
  char state;
  pid_t parent;
};

// The name in parentheses may hold anything, also parentheses: what counts follows the last one.
std::optional<Stat> stat_of(pid_t pid) {
  const std::string text = proc_file(pid, "stat");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= text.size()) return std::nullopt;
  const std::size_t begin = name_end + 4;
  const auto parent = parse_integer(text.substr(begin, text.find(' ', begin) - begin));
  if (!parent) return std::nullopt;
  return Stat{text[name_end + 2], static_cast<pid_t>(*parent)};
}

bool alive(pid_t pid) {
  const auto stat = stat_of(pid);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

}  // namespace

std::vector<pid_t> descendants(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  for (pid_t pid : all_processes())
    if (const auto stat = stat_of(pid)) children.emplace(stat->parent, pid);
  std::vector<pid_t> found, open{root};
  while (!open.empty()) {
    const auto [begin, end] = children.equal_range(open.back());
    open.pop_back();
    for (auto child = begin; child != end; ++child) {
      found.push_back(child->second);
      open.push_back(child->second);
    }
  }
  return found;
}

std::vector<pid_t> lineage(pid_t pid) {
  std::vector<pid_t> line;
  if (!alive(pid)) return line;
  line.push_back(pid);
  for (auto stat = stat_of(pid); stat && stat->parent > 0; stat = stat_of(stat->parent)) line.push_back(stat->parent);
  return line;
}

std::string attempt_of(pid_t pid) {
  const std::string environment = '\0' + proc_file(pid, "environ");
  const std::size_t entry = environment.find('\0' + kAttemptVariable);
  if (entry == std::string::npos) return "";
  const std::size_t begin = entry + 1 + kAttemptVariable.size();
  return environment.substr(begin, environment.find('\0', begin) - begin);
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (pid_t pid : all_processes())
    if (const auto stat = stat_of(pid); stat && stat->parent == parent) found.push_back(pid);
  return found;
}

std::vector<pid_t> processes_of_attempt(const std::string& id) {
  const std::string entry = kAttemptVariable + id + '\0';
  std::vector<pid_t> found;
  for (pid_t pid : all_processes()) {
    if (pid == ::getpid() || ('\0' + proc_file(pid, "environ")).find('\0' + entry) == std::string::npos) continue;
    if (alive(pid)) found.push_back(pid);
  }
  return found;
}

void signal_all(const std::vector<pid_t>& pids, int signal) {
  for (pid_t pid : pids) ::kill(pid, signal);
}

}  // namespace hpsearch
