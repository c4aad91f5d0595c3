#include "objectives/optimizer.h"

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace hpsearch {
namespace {

template <typename Options>
void set_rate_and_decay(torch::optim::OptimizerOptions& group, double lr, double weight_decay) {
  static_cast<Options&>(group).lr(lr).weight_decay(weight_decay);
}

}  // namespace

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names = {"sgd", "adam", "adamw"};
  return names;
}

const std::vector<std::string>& schedule_names() {
  static const std::vector<std::string> names = {"constant", "cosine"};
  return names;
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const OptimizerOptions& options,
                                                        std::vector<torch::Tensor> parameters) {
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  if (options.name == "sgd") {
    optimizer = std::make_unique<torch::optim::SGD>(std::move(parameters), torch::optim::SGDOptions(options.lr));
  } else if (options.name == "adam") {
    optimizer = std::make_unique<torch::optim::Adam>(std::move(parameters), torch::optim::AdamOptions(options.lr));
  } else if (options.name == "adamw") {
    optimizer = std::make_unique<torch::optim::AdamW>(std::move(parameters), torch::optim::AdamWOptions(options.lr));
  } else {
    throw std::runtime_error("unknown optimizer " + options.name);
  }
  apply(options, options.lr, *optimizer);
  return optimizer;
}

double scheduled_lr(const OptimizerOptions& options, double progress) {
  if (options.schedule == "constant") return options.lr;
  return options.lr * 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
}

void apply(const OptimizerOptions& options, double lr, torch::optim::Optimizer& optimizer) {
  for (torch::optim::OptimizerParamGroup& group : optimizer.param_groups()) {
    if (options.name == "sgd") {
      set_rate_and_decay<torch::optim::SGDOptions>(group.options(), lr, options.weight_decay);
      static_cast<torch::optim::SGDOptions&>(group.options()).momentum(options.momentum);
    } else if (options.name == "adam") {
      set_rate_and_decay<torch::optim::AdamOptions>(group.options(), lr, options.weight_decay);
    } else {
      set_rate_and_decay<torch::optim::AdamWOptions>(group.options(), lr, options.weight_decay);
    }
  }
}

}  // namespace hpsearch
