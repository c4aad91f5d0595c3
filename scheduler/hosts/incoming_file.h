#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/sha256.h"

namespace hpsearch {

// Contents on their way into a store, kept apart until they are whole and proven. What is not finished goes with it; a
// killed process leaves a file among the drafts, never one under the final name.
class IncomingFile {
 public:
  // `place` is where they go once finished; `draft` is a name on the same disk that nobody else uses. Throws
  // std::system_error.
  IncomingFile(std::filesystem::path place, std::filesystem::path draft, std::string hash, std::int64_t size);
  ~IncomingFile();
  IncomingFile(IncomingFile&&) noexcept = default;

  // Throws std::invalid_argument when there are more bytes than announced, std::system_error when the disk fails.
  void append(std::string_view bytes);
  // Puts them in their place, write-protected, once the disk has them. Throws std::invalid_argument when they are not
  // what was announced, std::system_error when the disk fails.
  void finish();

 private:
  std::filesystem::path place_, draft_;
  std::string hash_;
  std::int64_t left_;  // Bytes still to come.
  FileDescriptor fd_;  // Open until finished.
  Sha256 sum_;
};

}  // namespace hpsearch
