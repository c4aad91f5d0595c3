#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace hpsearch {

// The study's file is not what we wrote: truncated, overwritten, or its journal is gone. Nothing was changed.
// what() names the file and what to do. Exit status 1.
class DamagedStudy : public std::runtime_error {
 public:
  explicit DamagedStudy(const std::string& text) : std::runtime_error(text) {}
  DamagedStudy(const std::filesystem::path& file, const std::string& finding)
      : std::runtime_error(file.string() + " is damaged (" + finding +
                           "); it was left as it is. To save what can be read: hpsearch rescue " + file.string()) {}
};

// SQLite does not know the file as one of its own: a text file, or a destroyed head.
class NotADatabase : public DamagedStudy {
 public:
  using DamagedStudy::DamagedStudy;
};

// The disk has no room left. Nothing of the batch is stored; what was accepted before is safe. Exit status 1.
class DiskFull : public std::runtime_error {
 public:
  explicit DiskFull(const std::filesystem::path& file)
      : std::runtime_error("disk full: cannot write " + file.string() +
                           "; free some space, then: hpsearch resume") {}
};

}  // namespace hpsearch
