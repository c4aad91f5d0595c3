#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hpsearch {

enum class TokenKind { number, text, name, symbol, end };

// `text` is without quotes for text and `backquoted` names. A word such as "and" is a name with quoted = false.
struct ConstraintToken {
  TokenKind kind = TokenKind::end;
  std::string text;
  int column = 1;       // In characters, from 1.
  bool quoted = false;  // A name in backquotes: never a word of the language.
};

// Throws std::invalid_argument as constraint_fault makes it. The last token is `end`.
std::vector<ConstraintToken> constraint_tokens(const std::string& rule);

// Throws std::invalid_argument("column 8: message").
[[noreturn]] void constraint_fault(int column, const std::string& message);

}  // namespace hpsearch
