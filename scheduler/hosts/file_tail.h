#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace hpsearch {

// The lines that another process, maybe on another machine, appends to a file. The file is opened anew for each look, so
// that a network file system shows what is there now.
class FileTail {
 public:
  explicit FileTail(std::filesystem::path file) : file_(std::move(file)) {}

  // Calls `line` for each whole line since the last look, without its newline. False when nothing was new. A file that is
  // absent or can't be read now has nothing new.
  bool look(const std::function<void(std::string_view line)>& line);

 private:
  std::filesystem::path file_;
  std::uint64_t at_ = 0;                     // Where the next line begins.
};

}  // namespace hpsearch
