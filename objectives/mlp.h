#pragma once

#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

#include <vector>

#include "objectives/network.h"

namespace hpsearch {

struct MlpShape {
  std::int64_t features = 1;
  std::int64_t outputs = 1;
  int layers = 2;        // Hidden layers; 0: a linear model.
  int hidden = 64;       // Units of each.
  double dropout = 0.0;  // After each.
};

// Fully connected layers with ReLU between them: [n, features] to [n, outputs].
class Mlp : public Network {
 public:
  explicit Mlp(const MlpShape& shape);

  torch::Tensor forward(const torch::Tensor& inputs) override;
  std::string architecture() const override;

 private:
  MlpShape shape_;
  std::vector<torch::nn::Linear> layers_;
  torch::nn::Dropout dropout_;
};

}  // namespace hpsearch
