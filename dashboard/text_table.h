#pragma once

#include <string>
#include <vector>

namespace hpsearch {

enum class Align { left, right };

// Rows of text in columns for people; the last column is not padded.
class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell a column; cells are cleaned of control characters.
  void add(const std::vector<std::string>& cells);
  bool empty() const { return rows_.empty(); }

  // Titles and rows, a newline after each.
  std::string text() const;

 private:
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hpsearch
