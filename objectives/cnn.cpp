#include "objectives/cnn.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "objectives/images.h"

namespace hpsearch {
namespace {

constexpr int kPooledSide = kImageSide / 4;

torch::nn::Conv2d convolution(int from, int to) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(from, to, 3).padding(1));
}

}  // namespace

// The hidden layer is a convolution whose kernel covers the whole image: the same function as a linear layer, but
// computed by oneDNN and not by the BLAS, which on a plain Debian is the slow reference one.
Cnn::Cnn(const CnnShape& shape)
    : shape_(shape),
      first_(register_module("first", convolution(1, shape.width))),
      second_(register_module("second", convolution(shape.width, 2 * shape.width))),
      hidden_(register_module("hidden", torch::nn::Conv2d(torch::nn::Conv2dOptions(2 * shape.width, shape.hidden,
                                                                                   kPooledSide)))),
      logits_(register_module("logits", torch::nn::Linear(shape.hidden, kImageClasses))),
      dropout_(register_module("dropout", torch::nn::Dropout(shape.dropout))) {}

torch::Tensor Cnn::forward(const torch::Tensor& images) {
  torch::Tensor x = torch::relu(torch::max_pool2d(first_(images), 2));  // Pooled first: same result, a quarter of the work.
  x = torch::relu(torch::max_pool2d(second_(x), 2));
  x = torch::relu(hidden_(dropout_(x))).flatten(1);
  return logits_(dropout_(x));
}

std::string Cnn::architecture() const {
  return nlohmann::json{{"network", "cnn"}, {"width", shape_.width}, {"hidden", shape_.hidden}}.dump();
}

CnnShape cnn_shape(const std::string& architecture) {
  const nlohmann::json json = nlohmann::json::parse(architecture, nullptr, false);
  if (!json.is_object() || json.value("network", "") != "cnn") {
    throw std::runtime_error("the checkpoint holds no network of fashion_cnn: " + architecture);
  }
  return {json.at("width").get<int>(), json.at("hidden").get<int>(), 0.0};
}

}  // namespace hpsearch
