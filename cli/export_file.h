#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace hpsearch {

// Where an export goes: standard output, or a file that appears whole or not at all.
class ExportTarget {
 public:
  // An empty `file` is standard output. UserError when the file exists and `force` is not given; std::system_error when the
  // place can't be written.
  ExportTarget(const std::string& file, bool force);
  ~ExportTarget();
  ExportTarget(const ExportTarget&) = delete;
  ExportTarget& operator=(const ExportTarget&) = delete;

  // False once nobody reads any more.
  bool write(std::string_view text);
  // Puts the file in its place. Without it nothing of it is left.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path file_, draft_;
  std::ofstream out_;
};

}  // namespace hpsearch
