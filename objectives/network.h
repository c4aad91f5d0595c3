#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

#include <string>

namespace hpsearch {

// What the trainer trains.
class Network : public torch::nn::Module {
 public:
  virtual torch::Tensor forward(const torch::Tensor& inputs) = 0;

  // Describes the shape in JSON: two networks whose texts are equal exchange weights. Kept in checkpoints.
  virtual std::string architecture() const = 0;
};

}  // namespace hpsearch
