#pragma once

#include <string>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// Those who want a unit that another study has, so that who has it and does not need it can let it go. Nobody has to leave
// the queue: dying does.
class UnitQueue {
 public:
  explicit UnitQueue(const std::string& uuid);

  // All throw std::system_error naming the file when it can't be locked at all.
  void join();
  void leave();
  bool others();                             // Somebody else waits.

 private:
  int file();

  std::string name_;
  FileDescriptor file_;
  bool joined_ = false;
};

}  // namespace hpsearch
