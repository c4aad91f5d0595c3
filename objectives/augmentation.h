#pragma once

#include <torch/types.h>

#include <functional>
#include <string>
#include <vector>

namespace hpsearch {

// "none"; "shift": each image moves by up to two pixels each way; "flip": every second image, at random, is
// mirrored left to right; "shift_flip": both.
const std::vector<std::string>& augmentation_names();

// A function on batches [n, channels, rows, columns] drawing from torch's CPU generator; empty for "none".
std::function<torch::Tensor(const torch::Tensor&)> augmentation_named(const std::string& name);

}  // namespace hpsearch
