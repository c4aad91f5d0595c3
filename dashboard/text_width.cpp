#include "dashboard/text_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hpsearch {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

std::size_t announced_bytes(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

bool well_formed(const Character& character) {
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character.code >= 0xD800 && character.code < 0xE000;
  return character.code >= kSmallest[character.bytes] && character.code < 0x110000 && !surrogate;
}

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = announced_bytes(lead);
  if (bytes == 0) return {};
  Character result{bytes == 1 ? lead : lead & (0x7Fu >> bytes), bytes, true};
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text, at + i)) return {};
    result.code = result.code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  }
  return well_formed(result) ? result : Character{};
}

std::size_t columns(const Character& character) {
  struct Range {
    char32_t first, last;
  };
  constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                        {0x2E80, 0x303E},
                                        {0x3041, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};
  if (character.code >= 0x300 && character.code < 0x370) return 0;  // Combining marks.
  for (const Range& range : kWide)
    if (character.code >= range.first && character.code <= range.last) return 2;
  return 1;
}

bool control(const Character& character) {
  return character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0);
}

std::string cleaned(std::string_view text, bool keep_lines) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (keep_lines && text[at] == '\n') result += '\n';
    else if (text[at] == '\t') result += ' ';
    else if (!character.valid || control(character)) result += '?';
    else result += text.substr(at, character.bytes);
    at += character.bytes;
  }
  return result;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    width += columns(character);
    at += character.bytes;
  }
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (text_width(text) <= width) return std::string(text);
  const std::size_t dots = std::min<std::size_t>(3, width);
  std::size_t at = 0, used = 0;
  while (at < text.size()) {
    const Character character = character_at(text, at);
    if (used + columns(character) > width - dots) break;
    used += columns(character);
    at += character.bytes;
  }
  return std::string(text.substr(0, at)) + std::string(dots, '.');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t taken = text_width(text);
  return std::string(taken < width ? width - taken : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t taken = text_width(text);
  return std::string(text) + std::string(taken < width ? width - taken : 0, ' ');
}

std::string one_line(std::string_view text) { return cleaned(text, false); }

std::string printable(std::string_view text) { return cleaned(text, true); }

}  // namespace hpsearch
