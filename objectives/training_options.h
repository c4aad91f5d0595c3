#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "objectives/command_line.h"
#include "objectives/trainer.h"
#include "trials/reporter.h"

namespace hpsearch {

// The command line options that every trained network shares. What is left out comes from hpsearch.
struct TrainingOptions {
  OptimizerOptions optimizer;
  int batch_size = 128;
  std::optional<int> epochs;
  std::string precision = "float32";
  std::optional<std::uint64_t> seed;
  std::filesystem::path resume;
  std::filesystem::path checkpoints;
};

void bind_training_options(CLI::App& app, TrainingOptions& options);

// The plan that the options ask for, its loss and augmentation left to the caller. Epochs: --epochs, else the
// resource's maximum, else 10.
TrainingPlan training_plan(const TrainingOptions& options, const Reporter& reporter);

std::uint64_t training_seed(const TrainingOptions& options, const Reporter& reporter);
std::filesystem::path checkpoint_folder(const TrainingOptions& options, const Reporter& reporter);

// None for a fresh start. An attempt that was lost before its first report starts afresh too.
std::optional<std::filesystem::path> checkpoint_to_resume(const TrainingOptions& options, const Reporter& reporter);

}  // namespace hpsearch
