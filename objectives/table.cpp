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

torch::Tensor class_numbers(const CsvTable& table, std::size_t target, const std::set<double>& classes) {
  std::vector<std::int64_t> numbers;
  for (const std::vector<double>& row : table.rows) {
    numbers.push_back(std::distance(classes.begin(), classes.find(row[target])));
  }
  return torch::tensor(numbers, torch::kLong);
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
  const auto rows = static_cast<std::int64_t>(table.rows.size());
  const std::int64_t held_out = rows / static_cast<std::int64_t>(kValidationShare);
  const torch::Tensor order = permutation(table.rows.size(), split_seed);
  const torch::Tensor validation = order.narrow(0, 0, held_out);
  const torch::Tensor training = order.narrow(0, held_out, rows - held_out);

  const torch::Tensor all = matrix(table);
  const auto column = static_cast<std::int64_t>(target);
  const torch::Tensor features =
      torch::cat({all.narrow(1, 0, column), all.narrow(1, column + 1, all.size(1) - column - 1)}, 1);
  const Standard inputs = standard_of(features.index_select(0, training));

  TableSplit split;
  split.task = task;
  split.features = features.size(1);
  split.training.inputs = inputs(features.index_select(0, training));
  split.validation.inputs = inputs(features.index_select(0, validation));
  if (task == TableTask::kClassification) {
    const std::set<double> classes = distinct(table, target);
    const torch::Tensor numbers = class_numbers(table, target, classes);
    split.outputs = static_cast<std::int64_t>(classes.size());
    split.training.targets = numbers.index_select(0, training);
    split.validation.targets = numbers.index_select(0, validation);
  } else {
    const torch::Tensor values = all.narrow(1, column, 1);
    const Standard targets = standard_of(values.index_select(0, training));
    split.target_deviation = targets.deviation.item<double>();
    split.training.targets = targets(values.index_select(0, training));
    split.validation.targets = targets(values.index_select(0, validation));
  }
  return split;
}

}  // namespace hpsearch
