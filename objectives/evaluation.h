#pragma once

#include "objectives/network.h"

namespace hpsearch {

// Rows that belong together: inputs[i] has the target targets[i].
struct Examples {
  torch::Tensor inputs;
  torch::Tensor targets;

  std::int64_t size() const { return inputs.size(0); }
};

Examples on_device(const Examples& examples, torch::Device device);

// The network's outputs with dropout off and no gradients, in float32, on the CPU. The network is left in
// evaluation mode.
torch::Tensor outputs(Network& network, const torch::Tensor& inputs);

struct Classification {
  double accuracy = 0.0;
  double loss = 0.0;  // Mean cross entropy in nats.
};

// Of `logits` (examples x classes) against the class numbers `targets` (int64).
Classification classification(const torch::Tensor& logits, const torch::Tensor& targets);

}  // namespace hpsearch
