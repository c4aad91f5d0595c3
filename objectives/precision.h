#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

namespace hpsearch {

// Numbers in which the forward pass computes; weights and optimizer state stay in float32.
enum class Precision { kFloat32, kBfloat16 };

const std::vector<std::string>& precision_names();  // "float32", "bfloat16"
Precision precision_named(const std::string& name);

// Throws std::runtime_error when this build of LibTorch cannot train in that precision on that device.
void check_precision(Precision precision, torch::Device device);

// Torch's autocast for the lifetime of the object; nothing with float32.
class AutocastScope {
 public:
  AutocastScope(Precision precision, torch::Device device);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  bool active_;
  torch::Device device_;
};

}  // namespace hpsearch
