#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hpsearch {

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

// One row as it lies in a table's leaf page; the table itself is not known. An INTEGER PRIMARY KEY is `rowid`, and
// null among the cells.
struct LeafRow {
  std::int64_t rowid = 0;
  std::vector<Cell> cells;
};

// Visits every row that still reads as one in the bytes of a SQLite database, page by page, trusting no tree, no header
// and no length (https://www.sqlite.org/fileformat2.html, section 1.6). Returns the number of rows that don't read.
std::int64_t scan_leaves(std::string_view file, const std::function<void(LeafRow&&)>& visit);

}  // namespace hpsearch
