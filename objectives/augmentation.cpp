#include "objectives/augmentation.h"

#include <torch/nn/functional/padding.h>

#include <stdexcept>

namespace hpsearch {
namespace {

constexpr std::int64_t kShift = 2;

torch::Tensor random_offsets(const torch::Tensor& images) {
  return torch::randint(0, 2 * kShift + 1, {images.size(0), 1}, torch::kLong).to(images.device());
}

torch::Tensor positions(const torch::Tensor& images, std::int64_t dimension) {
  const torch::Tensor base = torch::arange(images.size(dimension), torch::TensorOptions(images.device()).dtype(torch::kLong));
  return base.unsqueeze(0) + random_offsets(images);
}

torch::Tensor shifted(const torch::Tensor& images) {
  namespace F = torch::nn::functional;
  const auto border = F::PadFuncOptions({kShift, kShift, kShift, kShift}).mode(torch::kReplicate);
  const torch::Tensor padded = F::pad(images, border);
  const std::int64_t n = images.size(0), channels = images.size(1);
  const torch::Tensor rows = positions(images, 2).view({n, 1, -1, 1}).expand({n, channels, -1, padded.size(3)});
  const torch::Tensor columns = positions(images, 3).view({n, 1, 1, -1}).expand({n, channels, images.size(2), -1});
  return padded.gather(2, rows).gather(3, columns);
}

torch::Tensor flipped(const torch::Tensor& images) {
  const torch::Tensor mirror = torch::rand({images.size(0), 1, 1, 1}).lt(0.5).to(images.device());
  return torch::where(mirror, images.flip({3}), images);
}

}  // namespace

const std::vector<std::string>& augmentation_names() {
  static const std::vector<std::string> names = {"none", "shift", "flip", "shift_flip"};
  return names;
}

std::function<torch::Tensor(const torch::Tensor&)> augmentation_named(const std::string& name) {
  if (name == "none") return {};
  if (name == "shift") return shifted;
  if (name == "flip") return flipped;
  if (name == "shift_flip") return [](const torch::Tensor& images) { return flipped(shifted(images)); };
  throw std::runtime_error("unknown augmentation " + name);
}

}  // namespace hpsearch
