#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// Those who want a unit that another study has, so that who has it and does not need it can let it go, and those who collect
// several units for one trial, so that what comes free is left to them. Nobody has to leave the queue: dying does.
class UnitQueue {
 public:
  explicit UnitQueue(const std::string& uuid);

  // All throw std::system_error naming the file when it can't be locked at all.
  void join();
  void leave();
  bool others();                             // Somebody else waits.

  // `ticket` tells who of those who collect came first; none: it is not collected.
  void reserve(std::optional<std::int64_t> ticket);
  // Whether somebody else has reserved it who came before `ticket`; none: whenever they came.
  bool reserved(std::optional<std::int64_t> ticket);

 private:
  int file();

  std::string name_;
  FileDescriptor file_;
  bool joined_ = false;
  std::optional<std::int64_t> ticket_;
};

}  // namespace hpsearch
