#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hpsearch {

// Cuts a stream of bytes into lines, without their newline. A line longer than `limit` is cut down to its first
// `limit` bytes, and `overlong` says so; memory stays bounded whatever comes.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t limit) : limit_(limit) {}

  // Calls take(line, overlong) for each line that `bytes` completes. The view is valid during the call.
  template <typename Take>
  void feed(std::string_view bytes, Take&& take) {
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
      if (partial_.empty() && end <= limit_) {
        take(bytes.substr(0, end), false);
        continue;
      }
      keep(bytes.substr(0, end));
      const std::string line = std::move(partial_);
      const bool overlong = overlong_;
      partial_.clear();
      overlong_ = false;
      take(std::string_view(line), overlong);
    }
    keep(bytes);
  }

  // What came after the last newline.
  const std::string& rest() const { return partial_; }
  bool cut() const { return overlong_; }  // Whether that is only its beginning.

 private:
  void keep(std::string_view bytes) {
    const std::size_t room = limit_ - partial_.size();
    overlong_ = overlong_ || bytes.size() > room;
    partial_ += bytes.substr(0, room);
  }

  std::size_t limit_;
  std::string partial_;
  bool overlong_ = false;
};

}  // namespace hpsearch
