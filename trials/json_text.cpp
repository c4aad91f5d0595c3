#include "trials/json_text.h"

#include <algorithm>
#include <optional>

namespace hpsearch {
namespace {

std::string shortened(std::string_view written) {
  constexpr std::size_t kLongest = 40;
  if (written.size() <= kLongest) return std::string(written);
  return std::string(written.substr(0, kLongest / 2)) + "... (" + std::to_string(written.size()) + " characters)";
}

// The word or character that begins at `offset`.
std::string word_at(std::string_view text, std::size_t offset) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n,:{}[]\"", offset), text.size());
  return shortened(text.substr(offset, std::max<std::size_t>(end - offset, 1)));
}

bool names_no_json_number(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
  return word == "nan" || word == "inf" || word == "infinity";
}

// The parser's message without its prefix of codes and positions.
std::string parser_reason(const std::string& reason) {
  const std::size_t dash = reason.rfind(" - ");
  const std::size_t semicolon = reason.find("; last read", dash == std::string::npos ? 0 : dash);
  const std::size_t begin = dash == std::string::npos ? reason.rfind("] ") + 2 : dash + 3;
  return "not JSON: " + reason.substr(begin, semicolon == std::string::npos ? semicolon : semicolon - begin);
}

std::optional<std::string> odd_word(const std::string& word) {
  if (names_no_json_number(word)) return word + " is not a JSON number: only finite numbers are allowed here";
  if (word[0] == '\'') return "text is written in double quotes, not in '";
  if (word == "True" || word == "False" || word == "None")
    return word + " is not JSON: write " + (word == "True" ? "true" : word == "False" ? "false" : "null");
  if (word[0] == '+' || word[0] == '.') return word + " is not a JSON number: begin with a digit or -";
  return std::nullopt;
}

}  // namespace

JsonText::JsonText(std::string_view text) : text_(text), line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

int JsonText::line(std::size_t end) const {
  const std::size_t offset = end == 0 ? 0 : end - 1;
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(next - line_starts_.begin());
}

int JsonText::column(std::size_t offset) const {
  const std::size_t start = line_starts_[line(offset + 1) - 1];
  const std::string_view before = text_.substr(start, offset - start);
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return 1 + static_cast<int>(std::count_if(before.begin(), before.end(), begins_character));
}

bool JsonText::of_number(std::size_t offset) const {
  return std::string_view("0123456789+-.eE").find(text_[offset]) != std::string_view::npos;
}

std::size_t JsonText::token_length(std::size_t end) const {
  const auto escaped = [this](std::size_t quote) {
    std::size_t slashes = 0;
    while (slashes < quote && text_[quote - slashes - 1] == '\\') ++slashes;
    return slashes % 2 == 1;
  };
  std::size_t begin = end < 2 ? 0 : end - 2;
  while (begin > 0 && (text_[begin] != '"' || escaped(begin))) --begin;
  return end - begin;
}

std::size_t JsonText::skip_blank(std::size_t from) const {
  while (from < text_.size()) {
    const std::string_view rest = text_.substr(from);
    const bool line_comment = rest.starts_with("//"), block = rest.starts_with("/*");
    if (!json_blank(rest[0]) && !line_comment && !block) break;
    const std::size_t end = line_comment ? rest.find('\n') : block ? rest.find("*/", 2) : 0;
    if (end == std::string_view::npos) return text_.size();
    from += end + (block ? 2 : 1);
  }
  return std::min(from, text_.size());
}

SyntaxFault syntax_fault(const JsonText& text, std::size_t last, std::size_t stop, bool inside,
                         const std::string& reason) {
  const std::string_view all = text.text();
  const std::size_t next = text.skip_blank(last);
  if (next == text.size() && last == 0) return {0, "the file is empty"};
  if (next == text.size()) return {text.size(), "the text ends too early: a closing brace or bracket is missing"};
  const bool comma = all[next] == ',', colon = all[next] == ':';
  const std::size_t after = comma || colon ? text.skip_blank(next + 1) : next;
  if (after == text.size()) return {text.size(), "the text ends too early: a closing brace or bracket is missing"};
  if (comma && (all[after] == '}' || all[after] == ']')) return {next, "a comma after the last item"};
  if (comma && all[after] == ',') return {after, "two commas"};
  if (const auto message = odd_word(word_at(all, after))) return {after, *message};
  const bool begins_item = all[after] == '"' || all[after] == '{' || all[after] == '[' || text.of_number(after);
  if (!inside && last > 0) return {after, "something follows the closing brace"};
  if (begins_item && after == next && last > 0 && all[last - 1] != '{' && all[last - 1] != '[' && stop >= after)
    return {after, "a comma or colon is missing before this"};
  return {after, parser_reason(reason)};
}

std::string beyond_64_bits(const std::string& written) {
  return shortened(written) + " is beyond 64 bits: integers go from -9223372036854775808 to 9223372036854775807";
}

}  // namespace hpsearch
