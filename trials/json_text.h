#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hpsearch {

constexpr bool json_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// A JSON text with its line starts: turns offsets into places for people. Offsets count from 0, lines and columns
// from 1; columns count characters, not bytes.
class JsonText {
 public:
  explicit JsonText(std::string_view text);

  std::string_view text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  int line(std::size_t end) const;        // Of the character before offset `end`.
  int column(std::size_t offset) const;   // Of the character at `offset`.
  bool of_number(std::size_t offset) const;
  // Length of the quoted text that ends just before `end`, its quotes included.
  std::size_t token_length(std::size_t end) const;
  // The first offset at or past `from` that is neither white space nor comment.
  std::size_t skip_blank(std::size_t from) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
};

struct SyntaxFault {
  std::size_t offset = 0;
  std::string message;
};

// Says plainly why a text is no JSON. The last whole token ended at `last`, the offending one at `stop`; `inside`
// tells whether an object or array is open; `reason` is the parser's own message, the fallback.
SyntaxFault syntax_fault(const JsonText& text, std::size_t last, std::size_t stop, bool inside,
                         const std::string& reason);

// The rule for integers that don't fit, `written` shortened.
std::string beyond_64_bits(const std::string& written);

}  // namespace hpsearch
