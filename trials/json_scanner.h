#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hpsearch {

// Reads small JSON objects left to right with numbers as their text, so that NaN, Infinity and +3 pass and nothing is
// rounded: reports and the keeper's lines. Throws std::invalid_argument with a plain reason.
//
//   scanner.open();
//   while (auto key = scanner.next_key()) value = scanner.scalar();
//   scanner.finish();
class JsonScanner {
 public:
  // `text` outlives the scanner. Throws when it is not UTF-8.
  explicit JsonScanner(std::string_view text);

  void open();                          // "{" of an object.
  std::optional<std::string> next_key();  // None, and past the "}", at the object's end.
  bool at_string();                     // The next value is a string.
  std::string string();                 // A string, unescaped.
  std::string_view token();             // A bare word: number, true, null, NaN.
  std::string scalar();                 // A string's content or a bare word.
  void finish();                        // Nothing but blanks may follow.

 private:
  void skip_blanks();
  bool take(char c);
  void expect(char c);
  void escaped(std::string& out);
  unsigned hex4();

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = true;  // No key of the innermost object has been read yet.
};

bool valid_utf8(std::string_view text);

// `text` in quotes, escaped for JSON. `text` is UTF-8.
std::string json_quoted(std::string_view text);

}  // namespace hpsearch
