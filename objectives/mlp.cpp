#include "objectives/mlp.h"

#include <nlohmann/json.hpp>

namespace hpsearch {

Mlp::Mlp(const MlpShape& shape) : shape_(shape), dropout_(register_module("dropout", torch::nn::Dropout(shape.dropout))) {
  std::int64_t width = shape.features;
  for (int layer = 0; layer <= shape.layers; ++layer) {
    const std::int64_t next = layer == shape.layers ? shape.outputs : shape.hidden;
    layers_.push_back(register_module("layer" + std::to_string(layer), torch::nn::Linear(width, next)));
    width = next;
  }
}

torch::Tensor Mlp::forward(const torch::Tensor& inputs) {
  torch::Tensor x = inputs;
  for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) x = dropout_(torch::relu(layers_[layer](x)));
  return layers_.back()(x);
}

std::string Mlp::architecture() const {
  return nlohmann::json{{"network", "mlp"},
                        {"features", shape_.features},
                        {"outputs", shape_.outputs},
                        {"layers", shape_.layers},
                        {"hidden", shape_.hidden}}
      .dump();
}

}  // namespace hpsearch
