#include "objectives/precision.h"

#include <ATen/autocast_mode.h>
#include <c10/util/Exception.h>
#include <torch/nn/functional/conv.h>
#include <torch/version.h>

#include <stdexcept>

namespace hpsearch {
namespace {

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
void set_autocast(torch::Device device, bool enabled) {
  if (enabled) at::autocast::set_autocast_dtype(device.type(), torch::kBFloat16);
  at::autocast::set_autocast_enabled(device.type(), enabled);
}
#else
void set_autocast(torch::Device device, bool enabled) {
  if (device.is_cpu()) {
    if (enabled) at::autocast::set_autocast_cpu_dtype(torch::kBFloat16);
    at::autocast::set_cpu_enabled(enabled);
  } else {
    if (enabled) at::autocast::set_autocast_gpu_dtype(torch::kBFloat16);
    at::autocast::set_enabled(enabled);
  }
}
#endif

}  // namespace

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names = {"float32", "bfloat16"};
  return names;
}

Precision precision_named(const std::string& name) {
  if (name == "float32") return Precision::kFloat32;
  if (name == "bfloat16") return Precision::kBfloat16;
  throw std::runtime_error("unknown precision " + name);
}

void check_precision(Precision precision, torch::Device device) {
  if (precision == Precision::kFloat32) return;
  try {
    const torch::Tensor images = torch::zeros({2, 4, 8, 8}, device);
    const torch::Tensor kernel = torch::zeros({4, 4, 3, 3}, torch::TensorOptions(device).requires_grad(true));
    torch::Tensor sum;
    {
      const AutocastScope autocast(precision, device);
      sum = torch::nn::functional::conv2d(images, kernel).to(torch::kFloat32).sum();
    }
    sum.backward();
  } catch (const c10::Error& error) {
    throw std::runtime_error("precision bfloat16 does not work here (use float32): " +
                             std::string(error.what_without_backtrace()));
  }
}

AutocastScope::AutocastScope(Precision precision, torch::Device device)
    : active_(precision == Precision::kBfloat16), device_(device) {
  if (active_) set_autocast(device_, true);
}

AutocastScope::~AutocastScope() {
  if (!active_) return;
  at::autocast::clear_cache();
  set_autocast(device_, false);
}

}  // namespace hpsearch
