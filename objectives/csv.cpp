#include "objectives/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace hpsearch {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Fields of one line; a quoted field may hold commas and doubled quotes.
std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> found(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  for (std::string& field : found) field = std::string(trimmed(field));
  return found;
}

double number(const std::string& field, const std::string& place) {
  double value = 0.0;
  const char* end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    throw std::runtime_error(place + ": \"" + field + "\" is not a finite number");
  }
  return value;
}

std::vector<double> numbers(const std::string& line, const CsvTable& table, const std::string& place) {
  const std::vector<std::string> texts = fields(line);
  if (texts.size() != table.columns.size()) {
    throw std::runtime_error(place + ": has " + std::to_string(texts.size()) + " fields, the header has " +
                             std::to_string(table.columns.size()));
  }
  std::vector<double> row;
  for (std::size_t i = 0; i < texts.size(); ++i) row.push_back(number(texts[i], place + ", column " + table.columns[i]));
  return row;
}

}  // namespace

std::size_t CsvTable::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::string list;
  for (const std::string& known : columns) list += (list.empty() ? "" : ", ") + known;
  throw std::runtime_error("no column \"" + name + "\"; there are: " + list);
}

CsvTable read_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be opened");
  CsvTable table;
  std::string line;
  for (int line_number = 1; std::getline(file, line); ++line_number) {
    if (trimmed(line).empty()) continue;
    if (table.columns.empty()) {
      table.columns = fields(line);
    } else {
      table.rows.push_back(numbers(line, table, path.string() + ":" + std::to_string(line_number)));
    }
  }
  if (file.bad()) throw std::runtime_error(path.string() + ": cannot be read");
  if (table.rows.empty()) throw std::runtime_error(path.string() + ": holds no rows");
  return table;
}

}  // namespace hpsearch
