#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace hpsearch {

// Grey images as an IDX file holds them: `count` images of `rows` x `columns` bytes, one after another.
struct IdxImages {
  std::size_t count = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint8_t> pixels;
};

// Read the IDX format of MNIST and Fashion-MNIST (http://yann.lecun.com/exdb/mnist), gzipped or plain.
// Throw std::runtime_error naming the file when it cannot be opened, is of another kind, is truncated, or holds
// more than its header says.
IdxImages read_idx_images(const std::filesystem::path& path);
std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& path);

}  // namespace hpsearch
