#include "dashboard/text_table.h"

#include <algorithm>
#include <cassert>

#include "dashboard/text_width.h"

namespace hpsearch {

void TextTable::add(const std::vector<std::string>& cells) {
  assert(cells.size() == columns_.size());
  std::vector<std::string> row;
  for (const std::string& cell : cells) row.push_back(one_line(cell));
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles.push_back(columns_[i].title);
    widths.push_back(text_width(titles.back()));
    for (const auto& row : rows_) widths.back() = std::max(widths.back(), text_width(row[i]));
  }
  std::string text = line(titles, widths);
  for (const auto& row : rows_) text += line(row, widths);
  return text;
}

std::string TextTable::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    text += columns_[i].align == Align::right ? pad_left(cells[i], widths[i]) : pad_right(cells[i], widths[i]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace hpsearch
