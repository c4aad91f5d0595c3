#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hpsearch {

// Numbers with named columns, row after row.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  // Throws std::runtime_error listing the columns there are.
  std::size_t column(const std::string& name) const;
};

// Reads a file with a header line and only finite numbers below it; fields may be "quoted", a separator is a comma.
// Throws std::runtime_error naming file, line and column of the first field that is wrong.
CsvTable read_csv(const std::filesystem::path& path);

}  // namespace hpsearch
