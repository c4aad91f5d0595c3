#include "trials/argument_template.h"

#include <stdexcept>

#include "trials/command.h"

namespace hpsearch {
namespace {

std::string name_from(const std::string& text, std::size_t open) {
  const std::size_t close = text.find_first_of("{}", open + 1);
  if (close == std::string::npos || text[close] == '{')
    throw std::invalid_argument("\"{\" without \"}\" (a literal brace is written \"{{\")");
  return text.substr(open + 1, close - open - 1);
}

void append_literal(std::vector<TemplatePiece>& pieces, char c) {
  if (pieces.empty() || pieces.back().is_name) pieces.push_back({});
  pieces.back().text += c;
}

}  // namespace

std::vector<TemplatePiece> template_pieces(const std::string& text) {
  std::vector<TemplatePiece> pieces;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool brace = text[i] == '{' || text[i] == '}';
    const bool doubled = brace && i + 1 < text.size() && text[i + 1] == text[i];
    if (!brace || doubled) {
      append_literal(pieces, text[i]);
      i += doubled;
    } else if (text[i] == '}') {
      throw std::invalid_argument("\"}\" without \"{\" (a literal brace is written \"}}\")");
    } else {
      pieces.push_back({true, name_from(text, i)});
      i += pieces.back().text.size() + 1;
    }
  }
  return pieces;
}

std::vector<std::string> template_names(const std::string& text) {
  std::vector<std::string> names;
  for (const TemplatePiece& piece : template_pieces(text)) {
    if (piece.is_name) names.push_back(piece.text);
  }
  return names;
}

}  // namespace hpsearch
