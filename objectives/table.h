#pragma once

#include <string>

#include "objectives/csv.h"
#include "objectives/evaluation.h"

namespace hpsearch {

enum class TableTask { kClassification, kRegression };

// A table split and standardised for training: inputs float32 [n, features] with mean 0 and deviation 1 over the
// training part; targets int64 class numbers [n] or float32 [n, 1], standardised likewise.
struct TableSplit {
  TableTask task = TableTask::kClassification;
  Examples training;
  Examples validation;
  std::int64_t features = 0;
  std::int64_t outputs = 1;        // Classes, or 1.
  double target_deviation = 1.0;   // One standardised unit of the target, in its own unit.
};

// "classification", "regression", or "auto": classification when the target holds at most 20 different values, all
// whole numbers.
TableTask table_task(const std::string& name, const CsvTable& table, std::size_t target);

// Every fifth row, by a permutation drawn from `split_seed`, is for validation. Classes are numbered in the order
// of their values.
TableSplit split_table(const CsvTable& table, std::size_t target, TableTask task, std::uint64_t split_seed);

}  // namespace hpsearch
