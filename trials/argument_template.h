#pragma once

#include <string>
#include <vector>

namespace hpsearch {

// A part of a template: literal text, or a name that stood in braces.
struct TemplatePiece {
  bool is_name = false;
  std::string text;
};

// "--lr={lr}" -> "--lr=", name "lr". "{{" and "}}" stand for braces. Throws std::invalid_argument on a brace without
// its partner.
std::vector<TemplatePiece> template_pieces(const std::string& text);

}  // namespace hpsearch
