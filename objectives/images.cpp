#include "objectives/images.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "objectives/idx.h"

namespace hpsearch {
namespace {

constexpr double kPixelMean = 0.2860;       // Of Fashion-MNIST's training images, pixels in 0..1.
constexpr double kPixelDeviation = 0.3530;
constexpr std::uint64_t kSplitSeed = 20170825;
constexpr std::int64_t kValidationShare = 12;  // One in twelve: 5,000 of 60,000.

// Fisher-Yates on a generator that the C++ standard fixes: the same on every platform and LibTorch.
std::vector<std::int64_t> fixed_permutation(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::mt19937_64 random(kSplitSeed);
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random() % left]);
  return order;
}

// Pixels as bytes [n, 1, 28, 28].
torch::Tensor load_pixels(const std::filesystem::path& path) {
  IdxImages images = read_idx_images(path);
  if (images.count == 0 || images.rows != kImageSide || images.columns != kImageSide) {
    throw std::runtime_error(path.string() + ": holds no images of 28 x 28 pixels");
  }
  return torch::from_blob(images.pixels.data(),
                          {static_cast<std::int64_t>(images.count), 1, kImageSide, kImageSide}, torch::kByte)
      .clone();
}

torch::Tensor scaled(const torch::Tensor& pixels) {
  return pixels.to(torch::kFloat32).div_(255.0).sub_(kPixelMean).div_(kPixelDeviation);
}

// Inputs are pixels, four times smaller than the scaled images.
Examples load_examples(const std::filesystem::path& folder, const std::string& part) {
  Examples examples{load_pixels(folder / (part + "-images-idx3-ubyte.gz")),
                    load_labels(folder / (part + "-labels-idx1-ubyte.gz"))};
  if (examples.size() != examples.targets.size(0)) {
    throw std::runtime_error(folder.string() + ": " + part + " has another number of images than of labels");
  }
  return examples;
}

Examples selected(const Examples& examples, const torch::Tensor& rows) {
  return {scaled(examples.inputs.index_select(0, rows)), examples.targets.index_select(0, rows)};
}

}  // namespace

torch::Tensor load_images(const std::filesystem::path& path) { return scaled(load_pixels(path)); }

torch::Tensor load_labels(const std::filesystem::path& path) {
  std::vector<std::uint8_t> labels = read_idx_labels(path);
  if (std::any_of(labels.begin(), labels.end(), [](std::uint8_t label) { return label >= kImageClasses; })) {
    throw std::runtime_error(path.string() + ": holds a label above 9");
  }
  return torch::from_blob(labels.data(), {static_cast<std::int64_t>(labels.size())}, torch::kByte).to(torch::kLong);
}

TrainingImages load_training_images(const std::filesystem::path& folder, std::int64_t subset) {
  const Examples all = load_examples(folder, "train");
  const torch::Tensor order = torch::tensor(fixed_permutation(all.size()), torch::kLong);
  const std::int64_t validation = std::max<std::int64_t>(1, all.size() / kValidationShare);
  const std::int64_t available = all.size() - validation;
  if (available < 1) throw std::runtime_error(folder.string() + ": too few training images to split");
  const std::int64_t training = subset > 0 ? std::min(subset, available) : available;
  return {selected(all, order.narrow(0, validation, training)), selected(all, order.narrow(0, 0, validation))};
}

Examples load_test_images(const std::filesystem::path& folder) {
  Examples examples = load_examples(folder, "t10k");
  examples.inputs = scaled(examples.inputs);
  return examples;
}

}  // namespace hpsearch
