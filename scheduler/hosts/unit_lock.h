#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// Locks on GPUs (or instances of partitioned ones) that all users and studies of a machine share, one file a unit:
// hpsearch-gpu-UUID in lock_folder(). A unit is kUnitParts bytes of it, a share of one as many of these as it comes to. They
// are locks of open file descriptions: one lives as long as any process that inherited the descriptor, so exactly as long as
// anything that may use the unit, and no stale lock is ever left.
inline constexpr int kUnitParts = 2520;      // Divisible by 1 to 10: so many equal shares fill a unit.

struct UnitLock {
  FileDescriptor file;
  int first = 0, parts = 0;
};

// Who holds a share. `attempt` is "-" while no trial runs on it.
struct HolderName {
  std::string user, study, attempt = "-";
  pid_t pid = 0;                             // Of the scheduler that took the lock.
};

struct UnitHolder {
  int first = 0, parts = 0;
  HolderName name;
};

std::string lock_name(const std::string& uuid);

// A share (1: all) of the unit; none when too little of it is free, or not in one piece. Throws std::system_error naming the
// file when it can't be locked at all.
std::optional<UnitLock> lock_unit(const std::string& uuid, double share);

// Makes it a lock of all of the unit; false, and as it was, while others have parts of it.
bool widen(UnitLock& lock);
// Lets go of what is more than such a share.
void narrow(UnitLock& lock, double share);

// Whether the lock still excludes anybody: not once somebody removed the unit's file.
bool still_held(const UnitLock& lock, const std::string& uuid);

// Writes beside the lock who holds it, for others to read.
void name_holder(const UnitLock& lock, const HolderName& name);

// Who holds shares of the unit now, in the order of their places. Names are empty where none was written.
std::vector<UnitHolder> unit_holders(const std::string& uuid);

// "used by hpsearch study fashion of alice"; empty for no holders.
std::string holders_text(const std::vector<UnitHolder>& holders);

}  // namespace hpsearch
