#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace hpsearch {

// A regular expression in RE2's syntax, which has no look-around and no back-references: whatever the pattern, a search
// takes time linear in the text, so that no line of output can hold up the keeper that reads it.
class Pattern {
 public:
  // Throws std::invalid_argument with the reason when `text` is no regular expression.
  explicit Pattern(const std::string& text);
  ~Pattern();
  Pattern(Pattern&&) noexcept;

  std::size_t groups() const;
  // The groups of the first match, by number from 0 for group 1; none for a group that took no part. None without a
  // match. The views are parts of `text`.
  std::optional<std::vector<std::optional<std::string_view>>> search(std::string_view text) const;

 private:
  std::unique_ptr<re2::RE2> regex_;
};

}  // namespace hpsearch
