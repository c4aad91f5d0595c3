#pragma once

#include <torch/optim/optimizer.h>

#include <filesystem>
#include <string>

#include "objectives/network.h"

namespace hpsearch {

// What a checkpoint says about itself.
struct CheckpointLabel {
  int epoch = 0;             // Epochs done.
  std::string optimizer;     // Whose state it holds.
  std::string architecture;  // Network::architecture() of the weights it holds.
};

// Writes weights, optimizer state and random state: first under another name, then renamed, so that `path` is
// either whole or absent, also after a power cut.
void save_checkpoint(const std::filesystem::path& path, const CheckpointLabel& label, const Network& network,
                     const torch::optim::Optimizer& optimizer, torch::Device device);

// These throw std::runtime_error naming the file when it is not a checkpoint.
CheckpointLabel read_checkpoint_label(const std::filesystem::path& path);

// Throws when the file holds another architecture.
void load_weights(const std::filesystem::path& path, Network& network, torch::Device device);

// Weights, optimizer state and random state. Of another optimizer only the weights are taken.
CheckpointLabel load_checkpoint(const std::filesystem::path& path, Network& network, const std::string& optimizer_name,
                                torch::optim::Optimizer& optimizer, torch::Device device);

}  // namespace hpsearch
