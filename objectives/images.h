#pragma once

#include <filesystem>

#include "objectives/evaluation.h"

namespace hpsearch {

constexpr std::int64_t kImageSide = 28;
constexpr std::int64_t kImageClasses = 10;

struct TrainingImages {
  Examples training;
  Examples validation;
};

// Images of an IDX file as float32 [n, 1, 28, 28], scaled as Fashion-MNIST wants it (mean 0, deviation 1).
// Throws std::runtime_error for images of another size.
torch::Tensor load_images(const std::filesystem::path& path);

// Labels of an IDX file as int64 [n]. Throws std::runtime_error for a label above 9.
torch::Tensor load_labels(const std::filesystem::path& path);

// The 60,000 training images of MNIST or Fashion-MNIST in `folder`, split 11 : 1 by a permutation that never
// changes, so that every trial of every study is judged on the same validation images. Of the training part the
// first `subset` are kept (0: all).
TrainingImages load_training_images(const std::filesystem::path& folder, std::int64_t subset);

Examples load_test_images(const std::filesystem::path& folder);

}  // namespace hpsearch
