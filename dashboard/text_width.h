#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hpsearch {

// Columns that UTF-8 text takes on a terminal; East Asian wide characters take two.
std::size_t text_width(std::string_view text);

// The text, cut to `width` columns with "..." where it is longer.
std::string cut_to_width(std::string_view text, std::size_t width);

// The text padded with blanks to `width` columns; longer text is left as it is.
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

// One line that is safe to print: control characters and what is not UTF-8 become "?".
std::string one_line(std::string_view text);

// The same for text of several lines: newlines stay, tabs become blanks.
std::string printable(std::string_view text);

}  // namespace hpsearch
