// Trains a multilayer perceptron on a CSV table of numbers: classification or regression of one column.
// Runs alone as well as under hpsearch; `tabular_mlp --help` lists its options.

#include <torch/nn/functional/loss.h>

#include <cmath>

#include "objectives/command_line.h"
#include "objectives/csv.h"
#include "objectives/device.h"
#include "objectives/mlp.h"
#include "objectives/ranks.h"
#include "objectives/table.h"
#include "objectives/trainer.h"
#include "objectives/training_options.h"
#include "trials/reporter.h"

namespace hpsearch {
namespace {

struct Options {
  std::filesystem::path data;
  std::string target;
  std::string task = "auto";
  std::uint64_t split_seed = 0;
  MlpShape shape;
  TrainingOptions training;
};

void bind(CLI::App& app, Options& options) {
  app.add_option("--data", options.data, "CSV file: a header line, then numbers")->required();
  app.add_option("--target", options.target, "Column to predict")->required();
  app.add_option("--task", options.task, "auto: classification when the target holds at most 20 whole numbers")
      ->check(CLI::IsMember({"auto", "classification", "regression"}))->capture_default_str();
  app.add_option("--split_seed", options.split_seed, "Draws the fifth of the rows that validates")
      ->capture_default_str();
  app.add_option("--layers", options.shape.layers, "Hidden layers")->check(CLI::Range(0, 64))->capture_default_str();
  app.add_option("--hidden", options.shape.hidden, "Units of each hidden layer")
      ->check(CLI::Range(1, 65536))->capture_default_str();
  app.add_option("--dropout", options.shape.dropout, "Share of units dropped after each hidden layer")
      ->check(CLI::Range(0.0, 0.95))->capture_default_str();
  options.training.batch_size = 32;
  bind_training_options(app, options.training);
}

torch::Tensor loss(TableTask task, const torch::Tensor& predicted, const torch::Tensor& targets) {
  namespace F = torch::nn::functional;
  return task == TableTask::kClassification ? F::cross_entropy(predicted, targets) : F::mse_loss(predicted, targets);
}

Metrics validation_metrics(Network& network, const TableSplit& table, const Examples& validation) {
  const torch::Tensor predicted = outputs(network, validation.inputs);
  if (table.task == TableTask::kClassification) {
    const Classification result = classification(predicted, validation.targets);
    return {{"val_accuracy", result.accuracy}, {"val_loss", result.loss}};
  }
  const double mean_square = loss(table.task, predicted, validation.targets.cpu()).item<double>();
  return {{"val_rmse", std::sqrt(mean_square) * table.target_deviation}, {"val_loss", mean_square}};
}

TableSplit load_table(const Options& options) {
  const CsvTable table = read_csv(options.data);
  const std::size_t target = table.column(options.target);
  return split_table(table, target, table_task(options.task, table, target), options.split_seed);
}

void train(Options options) {
  Reporter reporter;
  const Ranks ranks;
  const torch::Device device = prepare_torch(training_seed(options.training, reporter));
  const TableSplit table = load_table(options);
  options.shape.features = table.features;
  options.shape.outputs = table.outputs;
  Mlp network(options.shape);
  network.to(device);
  TrainingPlan plan = training_plan(options.training, reporter);
  plan.loss = [&](const torch::Tensor& predicted, const torch::Tensor& targets) {
    return loss(table.task, predicted, targets);
  };
  Trainer trainer(network, plan, device, ranks);
  if (const auto checkpoint = checkpoint_to_resume(options.training, reporter)) trainer.resume(*checkpoint);
  const Examples validation = on_device(table.validation, device);
  trainer.run(
      reporter, on_device(table.training, device), [&] { return validation_metrics(network, table, validation); },
      checkpoint_folder(options.training, reporter));
}

}  // namespace
}  // namespace hpsearch

int main(int argc, char** argv) {
  CLI::App app("Trains a multilayer perceptron on a table and reports val_loss with val_accuracy (classification) or "
               "val_rmse (regression, in the target's unit).", "tabular_mlp");
  hpsearch::Options options;
  hpsearch::bind(app, options);
  return hpsearch::run_objective(app, argc, argv, [&] { hpsearch::train(options); });
}
