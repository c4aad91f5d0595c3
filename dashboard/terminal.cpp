#include "dashboard/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "dashboard/text_width.h"

namespace hpsearch {

namespace {

constexpr const char* kClearLine = "\x1b[K";
constexpr const char* kClearBelow = "\x1b[J";
constexpr const char* kPlain = "\x1b[0m";

}  // namespace

bool is_live_terminal(int fd) {
  const char* term = std::getenv("TERM");
  return ::isatty(fd) == 1 && term && *term && std::string_view(term) != "dumb";
}

TerminalSize terminal_size(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

bool in_foreground(int fd) {
  const pid_t leader = ::tcgetpgrp(fd);
  return leader < 0 || leader == ::getpgrp();
}

bool colour_wanted(bool no_color_option) {
  const char* variable = std::getenv("NO_COLOR");
  return !no_color_option && !(variable && *variable);
}

void write_text(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string RedrawnBlock::redraw(const std::vector<std::string>& lines, const std::vector<std::string>& styles,
                                 std::size_t columns) {
  std::string bytes = to_top(columns);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool styled = i < styles.size() && !styles[i].empty();
    bytes += (styled ? styles[i] : "") + lines[i] + (styled ? kPlain : "") + kClearLine + "\n";
    widths_.push_back(text_width(lines[i]));
  }
  // Last, and never from the screen's first row: tmux would keep a copy of what is cleared for scrolling back.
  return bytes + kClearBelow;
}

std::string RedrawnBlock::clear(std::size_t columns) {
  const std::string bytes = to_top(columns);
  return bytes.empty() ? "" : bytes + kClearBelow;
}

// A terminal made narrower has wrapped what stood there: its lines take more rows than were drawn.
std::string RedrawnBlock::to_top(std::size_t columns) {
  std::size_t rows = 0;
  for (std::size_t width : widths_) rows += std::max<std::size_t>(1, (width + columns - 1) / std::max<std::size_t>(1, columns));
  widths_.clear();
  return rows == 0 ? "" : "\x1b[" + std::to_string(rows) + "A\r";
}

}  // namespace hpsearch
