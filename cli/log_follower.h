#pragma once

#include <filesystem>
#include <fstream>

namespace hpsearch {

// Copies a log to standard output as it grows.
class LogFollower {
 public:
  explicit LogFollower(std::filesystem::path file) : file_(std::move(file)) {}

  // Copies what is new. False once nobody reads standard output any more.
  bool copy();

 private:
  std::filesystem::path file_;
  std::streamoff at_ = 0;
};

}  // namespace hpsearch
