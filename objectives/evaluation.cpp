#include "objectives/evaluation.h"

#include <torch/nn/functional/loss.h>

namespace hpsearch {
namespace {

constexpr std::int64_t kBatch = 500;  // Large enough to be fast, small enough to stay in the cache.

}  // namespace

Examples on_device(const Examples& examples, torch::Device device) {
  return {examples.inputs.to(device), examples.targets.to(device)};
}

torch::Tensor outputs(Network& network, const torch::Tensor& inputs) {
  const torch::NoGradGuard no_gradients;
  network.eval();
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& part : inputs.split(kBatch)) parts.push_back(network.forward(part).cpu());
  return torch::cat(parts);
}

Classification classification(const torch::Tensor& logits, const torch::Tensor& targets) {
  const torch::Tensor expected = targets.cpu();
  const torch::Tensor hits = logits.argmax(1).eq(expected);
  return {hits.to(torch::kFloat64).mean().item<double>(),
          torch::nn::functional::cross_entropy(logits, expected).item<double>()};
}

}  // namespace hpsearch
