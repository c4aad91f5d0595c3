#include "trials/json_scanner.h"

#include <stdexcept>

#include "trials/json_text.h"

namespace hpsearch {

namespace {

[[noreturn]] void fail(const std::string& reason) { throw std::invalid_argument(reason); }

bool ends_token(char c) {
  return json_blank(c) || c == ',' || c == '}' || c == '{' || c == ':' || c == '"' || c == '[' || c == ']';
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// Bytes of the character that starts at `text[at]`; 0 when malformed, overlong, a surrogate or beyond U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead < 0xF0) {
    if (!tail(1) || !tail(2) || (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0)) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead < 0xF5) {
    if (!tail(1) || !tail(2) || !tail(3) || (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90))
      return 0;
    return 4;
  }
  return 0;
}

}  // namespace

bool valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string json_quoted(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

JsonScanner::JsonScanner(std::string_view text) : text_(text) {
  if (!valid_utf8(text)) fail("not UTF-8");
}

void JsonScanner::skip_blanks() {
  while (at_ < text_.size() && json_blank(text_[at_])) ++at_;
}

bool JsonScanner::take(char c) {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void JsonScanner::expect(char c) {
  if (!take(c)) fail(std::string("not JSON: expected '") + c + "' at column " + std::to_string(at_ + 1));
}

void JsonScanner::open() {
  expect('{');
  first_ = true;
}

std::optional<std::string> JsonScanner::next_key() {
  const bool first = first_;
  first_ = false;
  if (take('}')) return std::nullopt;
  if (!first) expect(',');
  std::string key = string();
  expect(':');
  return key;
}

bool JsonScanner::at_string() {
  skip_blanks();
  return at_ < text_.size() && text_[at_] == '"';
}

std::string JsonScanner::string() {
  expect('"');
  std::string out;
  while (at_ < text_.size() && text_[at_] != '"') {
    if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("not JSON: a control character in a string");
    if (text_[at_] == '\\') escaped(out);
    else out += text_[at_++];
  }
  if (at_ >= text_.size()) fail("not JSON: a string without end");
  ++at_;
  return out;
}

void JsonScanner::escaped(std::string& out) {
  static constexpr std::string_view kNames = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  ++at_;
  const char c = at_ < text_.size() ? text_[at_++] : '\0';
  if (const std::size_t found = kNames.find(c); c != '\0' && found != std::string_view::npos) {
    out += kMeanings[found];
    return;
  }
  if (c != 'u') fail("not JSON: an unknown escape in a string");
  unsigned code = hex4();
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const unsigned low = hex4();
    if (low < 0xDC00 || low >= 0xE000) fail("not JSON: half a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code >= 0xD800 && code < 0xE000) fail("not JSON: half a surrogate pair");
  append_utf8(out, code);
}

unsigned JsonScanner::hex4() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    if (c >= '0' && c <= '9') code = code * 16 + (c - '0');
    else if (c >= 'a' && c <= 'f') code = code * 16 + (c - 'a' + 10);
    else if (c >= 'A' && c <= 'F') code = code * 16 + (c - 'A' + 10);
    else fail("not JSON: a broken \\u escape");
  }
  return code;
}

std::string_view JsonScanner::token() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !ends_token(text_[at_])) ++at_;
  if (at_ == begin) fail("not JSON: a number or text was expected at column " + std::to_string(at_ + 1));
  return text_.substr(begin, at_ - begin);
}

std::string JsonScanner::scalar() { return at_string() ? string() : std::string(token()); }

void JsonScanner::finish() {
  skip_blanks();
  if (at_ != text_.size()) fail("not JSON: more text after the object");
}

}  // namespace hpsearch
