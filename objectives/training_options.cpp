#include "objectives/training_options.h"

namespace hpsearch {

void bind_training_options(CLI::App& app, TrainingOptions& options) {
  OptimizerOptions& optimizer = options.optimizer;
  app.add_option("--optimizer", optimizer.name, "Optimizer")
      ->check(CLI::IsMember(optimizer_names()))->capture_default_str();
  app.add_option("--lr", optimizer.lr, "Learning rate at the start")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--schedule", optimizer.schedule, "How the learning rate goes on")
      ->check(CLI::IsMember(schedule_names()))->capture_default_str();
  app.add_option("--weight_decay", optimizer.weight_decay, "Weight decay; decoupled with adamw")
      ->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--momentum", optimizer.momentum, "Momentum of sgd")
      ->check(CLI::Range(0.0, 0.9999))->capture_default_str();
  app.add_option("--batch_size", options.batch_size, "Examples per step")
      ->check(CLI::Range(1, 1 << 20))->capture_default_str();
  app.add_option("--epochs", options.epochs, "Epochs of the whole training; default: the study's maximum, alone 10")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--precision", options.precision, "Numbers of the forward pass in training")
      ->check(CLI::IsMember(precision_names()))->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of weights, order, dropout, augmentation; default: the trial's, alone 0");
  app.add_option("--resume", options.resume, "Checkpoint to go on from")->check(CLI::ExistingFile);
  app.add_option("--checkpoints", options.checkpoints, "Folder for checkpoints; default: the trial's, alone the current")
      ->check(CLI::ExistingDirectory);
}

TrainingPlan training_plan(const TrainingOptions& options, const Reporter& reporter) {
  TrainingPlan plan;
  plan.optimizer = options.optimizer;
  plan.batch_size = options.batch_size;
  plan.epochs = options.epochs ? *options.epochs : static_cast<int>(reporter.resource_max().value_or(10.0));
  plan.precision = precision_named(options.precision);
  plan.seed = training_seed(options, reporter);
  return plan;
}

std::uint64_t training_seed(const TrainingOptions& options, const Reporter& reporter) {
  return options.seed ? *options.seed : reporter.seed();
}

std::filesystem::path checkpoint_folder(const TrainingOptions& options, const Reporter& reporter) {
  return options.checkpoints.empty() ? reporter.checkpoint_dir() : options.checkpoints;
}

std::optional<std::filesystem::path> checkpoint_to_resume(const TrainingOptions& options, const Reporter& reporter) {
  if (!options.resume.empty()) return options.resume;
  const std::optional<std::filesystem::path> checkpoint = reporter.resume_from();
  if (!checkpoint || std::filesystem::is_directory(*checkpoint)) return std::nullopt;
  return checkpoint;
}

}  // namespace hpsearch
