#pragma once

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

#include "objectives/network.h"

namespace hpsearch {

struct CnnShape {
  int width = 16;        // Channels of the first convolution; the second has twice as many.
  int hidden = 64;       // Units of the fully connected layer.
  double dropout = 0.0;  // Before and after that layer.
};

// Two 3 x 3 convolutions, each followed by 2 x 2 max pooling, and two fully connected layers: 28 x 28 grey images
// [n, 1, 28, 28] to logits [n, 10].
class Cnn : public Network {
 public:
  explicit Cnn(const CnnShape& shape);

  torch::Tensor forward(const torch::Tensor& images) override;
  std::string architecture() const override;

 private:
  CnnShape shape_;
  torch::nn::Conv2d first_;
  torch::nn::Conv2d second_;
  torch::nn::Conv2d hidden_;
  torch::nn::Linear logits_;
  torch::nn::Dropout dropout_;
};

// The shape behind Cnn::architecture(). Throws std::runtime_error when the text describes something else.
CnnShape cnn_shape(const std::string& architecture);

}  // namespace hpsearch
