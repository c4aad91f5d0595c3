#include "objectives/table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

namespace hpsearch {
namespace {

constexpr std::size_t kMostClasses = 20;
constexpr std::size_t kValidationShare = 5;

std::set<double> distinct(const CsvTable& table, std::size_t column) {
  std::set<double> values;
  for (const std::vector<double>& row : table.rows) values.insert(row[column]);
  return values;
}

torch::Tensor matrix(const CsvTable& table) {
  const auto rows = static_cast<std::int64_t>(table.rows.size());
  const auto columns = static_cast<std::int64_t>(table.columns.size());
  std::vector<double> values;
  for (const std::vector<double>& row : table.rows) values.insert(values.end(), row.begin(), row.end());
  return torch::tensor(values, torch::kFloat64).view({rows, columns});
}

torch::Tensor permutation(std::size_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[random() % left]);
  return torch::tensor(order, torch::kLong);
}

struct Standard {
  torch::Tensor mean;
  torch::Tensor deviation;

  torch::Tensor operator()(const torch::Tensor& values) const { return ((values - mean) / deviation).to(torch::kFloat32); }
};

// A column that never changes keeps its deviation of 0 out of the division.
Standard standard_of(const torch::Tensor& training) {
  const torch::Tensor deviation = training.std(0, /*unbiased=*/false, /*keepdim=*/true);
  return {training.mean(0, /*keepdim=*/true), torch::where(deviation > 0, deviation, torch::ones_like(deviation))};
}

struct RowSplit {
  torch::Tensor training;
  torch::Tensor validation;
};

RowSplit row_split(std::size_t count, std::uint64_t seed) {
  const torch::Tensor order = permutation(count, seed);
  const auto held_out = static_cast<std::int64_t>(count / kValidationShare);
  return {order.narrow(0, held_out, order.size(0) - held_out), order.narrow(0, 0, held_out)};
}

torch::Tensor class_numbers(const CsvTable& table, std::size_t target, const std::set<double>& classes) {
  std::vector<std::int64_t> numbers;
  for (const std::vector<double>& row : table.rows) {
    numbers.push_back(std::distance(classes.begin(), classes.find(row[target])));
  }
  return torch::tensor(numbers, torch::kLong);
}

void set_classes(const CsvTable& table, std::size_t target, const RowSplit& rows, TableSplit& split) {
  const std::set<double> classes = distinct(table, target);
  const torch::Tensor numbers = class_numbers(table, target, classes);
  split.outputs = static_cast<std::int64_t>(classes.size());
  split.training.targets = numbers.index_select(0, rows.training);
  split.validation.targets = numbers.index_select(0, rows.validation);
}

void set_values(const torch::Tensor& values, const RowSplit& rows, TableSplit& split) {
  const Standard standard = standard_of(values.index_select(0, rows.training));
  split.target_deviation = standard.deviation.item<double>();
  split.training.targets = standard(values.index_select(0, rows.training));
  split.validation.targets = standard(values.index_select(0, rows.validation));
}

}  // namespace

TableTask table_task(const std::string& name, const CsvTable& table, std::size_t target) {
  if (name == "classification") return TableTask::kClassification;
  if (name == "regression") return TableTask::kRegression;
  const std::set<double> values = distinct(table, target);
  const bool whole = std::all_of(values.begin(), values.end(), [](double value) { return value == std::round(value); });
  return whole && values.size() <= kMostClasses ? TableTask::kClassification : TableTask::kRegression;
}

TableSplit split_table(const CsvTable& table, std::size_t target, TableTask task, std::uint64_t split_seed) {
  if (table.columns.size() < 2) throw std::runtime_error("the table has no column beside the target");
  if (table.rows.size() < kValidationShare) throw std::runtime_error("the table has too few rows to split");
  const RowSplit rows = row_split(table.rows.size(), split_seed);
  const torch::Tensor all = matrix(table);
  const auto column = static_cast<std::int64_t>(target);
  const torch::Tensor features =
      torch::cat({all.narrow(1, 0, column), all.narrow(1, column + 1, all.size(1) - column - 1)}, 1);

  TableSplit split;
  split.task = task;
  split.features = features.size(1);
  const Standard standard = standard_of(features.index_select(0, rows.training));
  split.training.inputs = standard(features.index_select(0, rows.training));
  split.validation.inputs = standard(features.index_select(0, rows.validation));
  if (task == TableTask::kClassification) {
    set_classes(table, target, rows, split);
  } else {
    set_values(all.narrow(1, column, 1), rows, split);
  }
  return split;
}

}  // namespace hpsearch
