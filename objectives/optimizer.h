#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <string>
#include <vector>

namespace hpsearch {

struct OptimizerOptions {
  std::string name = "sgd";  // One of optimizer_names().
  double lr = 0.05;          // The peak of the schedule.
  double weight_decay = 0.0;
  double momentum = 0.9;     // Heavy ball; sgd only.
  std::string schedule = "cosine";  // One of schedule_names().
};

const std::vector<std::string>& optimizer_names();
const std::vector<std::string>& schedule_names();

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const OptimizerOptions& options,
                                                        std::vector<torch::Tensor> parameters);

// The learning rate when the share `progress` (0 to 1) of the whole training is done: constant, or half a cosine
// from `lr` down to 0 (Loshchilov and Hutter, SGDR, 2017, without restarts).
double scheduled_lr(const OptimizerOptions& options, double progress);

// Sets the learning rate now and puts the other options in force again, which loading a checkpoint overwrites.
void apply(const OptimizerOptions& options, double lr, torch::optim::Optimizer& optimizer);

}  // namespace hpsearch
