#include "scheduler/hosts/ignore_rules.h"

#include <algorithm>

#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr std::string_view kNeverTaken[] = {".git", "hpsearch-studies", "__pycache__"};
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Without blanks at the end; "\ " stays.
std::string_view trimmed(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
  take_prefix(text, kByteOrderMark);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(trimmed(line));
  }
}

void IgnoreRules::add(std::string_view line) {
  if (line.starts_with('#')) return;
  const bool taken_back = take_prefix(line, "!");
  const bool folders_only = line.ends_with('/');
  if (folders_only) line.remove_suffix(1);
  if (line.empty()) return;
  const bool anchored = line.find('/') != std::string_view::npos;
  rules_.push_back({Glob((anchored ? "" : "**/") + std::string(line)), folders_only, !taken_back});
}

bool IgnoreRules::ignores(const std::string& path, bool is_folder) const {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (std::find(std::begin(kNeverTaken), std::end(kNeverTaken), name) != std::end(kNeverTaken)) return true;
  const auto last = std::find_if(rules_.rbegin(), rules_.rend(), [&](const Rule& rule) {
    return (is_folder || !rule.folders_only) && rule.glob.matches(path);
  });
  return last != rules_.rend() && last->ignored;
}

IgnoreRules ignore_rules_of(const std::filesystem::path& folder) {
  return IgnoreRules(read_file(folder / ".hpsearchignore").value_or(""));
}

}  // namespace hpsearch
