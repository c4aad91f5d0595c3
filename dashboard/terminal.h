#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hpsearch {

struct TerminalSize {
  std::size_t columns = 80, rows = 24;
};

// A terminal that can move its cursor: not a file or pipe, not TERM=dumb.
bool is_live_terminal(int fd);
// As it is now. A terminal that does not say is 80 by 24.
TerminalSize terminal_size(int fd);
// False for a background job, whose output would disturb the shell's, or stop it.
bool in_foreground(int fd);
// NO_COLOR set to anything asks for none.
bool colour_wanted(bool no_color_option);

// Writes all of it or as much as the reader takes: a closed or failing descriptor is not an error of the study.
void write_text(int fd, std::string_view text);

// Text at the bottom of a terminal that is drawn over in place.
class RedrawnBlock {
 public:
  // The bytes that replace what the last call drew by `lines`, none of which is wider than `columns`.
  // `styles` gives each line's escape code, empty for none.
  std::string redraw(const std::vector<std::string>& lines, const std::vector<std::string>& styles, std::size_t columns);
  // The bytes that clear what was drawn, for text that stays.
  std::string clear(std::size_t columns);

 private:
  std::string to_top(std::size_t columns);

  std::vector<std::size_t> widths_;            // Of the lines drawn last.
};

}  // namespace hpsearch
