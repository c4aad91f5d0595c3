#include "trials/constraint_lexer.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace hpsearch {
namespace {

constexpr std::array<std::string_view, 6> kLongSymbols{"<=", ">=", "==", "!=", "&&", "||"};
constexpr std::string_view kSymbols = "<>+-*/%^(),=!";

bool digit(char c) { return c >= '0' && c <= '9'; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
 public:
  explicit Lexer(const std::string& rule) : rule_(rule) {}

  std::vector<ConstraintToken> all() {
    std::vector<ConstraintToken> tokens;
    do tokens.push_back(next());
    while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  ConstraintToken next() {
    skip_blank();
    if (at_ == rule_.size()) return {TokenKind::end, "", column(), false};
    const char c = rule_[at_];
    if (digit(c) || (c == '.' && at_ + 1 < rule_.size() && digit(rule_[at_ + 1]))) return number();
    if (c == '\'' || c == '"') return quoted(TokenKind::text, c);
    if (c == '`') return quoted(TokenKind::name, c);
    if (of_name(c)) return taken(TokenKind::name, name_length());
    return symbol();
  }

  void skip_blank() {
    while (at_ < rule_.size() && std::string_view(" \t\r\n").find(rule_[at_]) != std::string_view::npos) ++at_;
  }

  int column() const {
    return 1 + static_cast<int>(at_ - std::count_if(rule_.begin(), rule_.begin() + at_, continues_character));
  }

  ConstraintToken taken(TokenKind kind, std::size_t length) {
    ConstraintToken token{kind, rule_.substr(at_, length), column(), false};
    at_ += length;
    return token;
  }

  std::size_t name_length() const {
    std::size_t end = at_;
    while (end < rule_.size() && (of_name(rule_[end]) || digit(rule_[end]))) ++end;
    return end - at_;
  }

  // As far as a number may reach; whether it is one is the parser's question.
  ConstraintToken number() {
    std::size_t end = at_;
    const auto sign_of_exponent = [this](std::size_t i) {
      return (rule_[i] == '+' || rule_[i] == '-') && (rule_[i - 1] == 'e' || rule_[i - 1] == 'E');
    };
    while (end < rule_.size() &&
           (digit(rule_[end]) || rule_[end] == '.' || of_name(rule_[end]) || sign_of_exponent(end)))
      ++end;
    return taken(TokenKind::number, end - at_);
  }

  ConstraintToken quoted(TokenKind kind, char quote) {
    const std::size_t close = rule_.find(quote, at_ + 1);
    if (close == std::string::npos) constraint_fault(column(), std::string("a closing ").append(1, quote).append(" is missing"));
    ConstraintToken token{kind, rule_.substr(at_ + 1, close - at_ - 1), column(), true};
    at_ = close + 1;
    return token;
  }

  ConstraintToken symbol() {
    const std::string_view rest = std::string_view(rule_).substr(at_);
    for (const std::string_view two : kLongSymbols) {
      if (rest.starts_with(two)) return taken(TokenKind::symbol, 2);
    }
    if (rest.starts_with("**")) constraint_fault(column(), "\"**\" is written \"^\" here");
    if (kSymbols.find(rest[0]) == std::string_view::npos)
      constraint_fault(column(), "\"" + std::string(1, rest[0]) + "\" means nothing here");
    return taken(TokenKind::symbol, 1);
  }

  const std::string& rule_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<ConstraintToken> constraint_tokens(const std::string& rule) { return Lexer(rule).all(); }

void constraint_fault(int column, const std::string& message) {
  throw std::invalid_argument("column " + std::to_string(column) + ": " + message);
}

}  // namespace hpsearch
