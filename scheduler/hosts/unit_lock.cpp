#include "scheduler/hosts/unit_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <sstream>
#include <system_error>

#include "scheduler/hosts/lock_file.h"
#include "scheduler/hosts/range_lock.h"

namespace hpsearch {

namespace {

constexpr double kAlmost = 1e-6;             // A third of a unit, as a double, is a third of its parts.
constexpr off_t kNames = 4096;
constexpr std::size_t kNameSize = 256;

int parts_of(double share) { return std::clamp(static_cast<int>(std::floor(share * kUnitParts + kAlmost)), 1, kUnitParts); }

off_t name_offset(int first) { return kNames + static_cast<off_t>(first) * static_cast<off_t>(kNameSize); }

// The first place where so many parts are free. What ends a conflict is the first byte where the next try makes sense.
std::optional<int> lock_parts(int fd, int parts) {
  for (int first = 0; first + parts <= kUnitParts;) {
    const ByteRange wanted{first, first + parts};
    if (lock_range(fd, wanted, RangeLock::alone)) return first;
    const auto conflict = conflict_in(fd, wanted);
    if (conflict) first = static_cast<int>(conflict->end);  // Else it has just become free.
  }
  return std::nullopt;
}

// Conflicts are told one at a time and in no order: what is left and right of one is asked for again.
void collect_holders(int fd, ByteRange range, std::vector<UnitHolder>& holders) {
  if (range.begin >= range.end) return;
  const auto conflict = conflict_in(fd, range);
  if (!conflict) return;
  const int first = static_cast<int>(conflict->begin);
  holders.push_back({first, static_cast<int>(conflict->end) - first, {}});
  collect_holders(fd, {range.begin, conflict->begin}, holders);
  collect_holders(fd, {conflict->end, range.end}, holders);
}

// The file is everybody's to write: nothing in it is taken for more than words.
HolderName read_name(int fd, int first) {
  char buffer[kNameSize];
  const ssize_t size = ::pread(fd, buffer, sizeof buffer, name_offset(first));
  std::string text(buffer, size > 0 ? static_cast<std::size_t>(size) : 0);
  text.resize(std::min(text.find('\n'), text.size()));
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80 && std::isprint(c); });
  HolderName name;
  std::istringstream words(plain ? text : "");
  words >> name.user >> name.study >> name.attempt >> name.pid;
  return name;
}

}  // namespace

std::string lock_name(const std::string& uuid) {
  std::string name = "hpsearch-gpu-" + uuid;
  std::replace(name.begin(), name.end(), '/', '_');  // Older drivers call an instance "MIG-GPU-.../1/0".
  return name;
}

std::optional<UnitLock> lock_unit(const std::string& uuid, double share) {
  const std::string name = lock_name(uuid);
  for (;;) {
    UnitLock lock{open_lock_file(name), 0, parts_of(share)};
    const auto first = lock_parts(lock.file.get(), lock.parts);
    if (!first) return std::nullopt;
    lock.first = *first;
    if (still_held(lock, uuid)) return lock;
  }
}

bool widen(UnitLock& lock) {
  if (lock.parts == kUnitParts) return true;
  if (!lock_range(lock.file.get(), {0, kUnitParts}, RangeLock::alone)) return false;
  lock.first = 0;
  lock.parts = kUnitParts;
  return true;
}

void narrow(UnitLock& lock, double share) {
  const int parts = parts_of(share);
  if (lock.parts <= parts) return;
  lock_range(lock.file.get(), {lock.first + parts, lock.first + lock.parts}, RangeLock::none);
  lock.parts = parts;
}

bool still_held(const UnitLock& lock, const std::string& uuid) { return still_named(lock.file, lock_name(uuid)); }

void name_holder(const UnitLock& lock, const HolderName& name) {
  std::string text = name.user + ' ' + name.study + ' ' + name.attempt + ' ' + std::to_string(name.pid) + '\n';
  text.resize(kNameSize);
  // Only words for people: a full disk must not keep a trial from starting.
  if (::pwrite(lock.file.get(), text.data(), text.size(), name_offset(lock.first)) < 0) return;
}

std::vector<UnitHolder> unit_holders(const std::string& uuid) {
  std::vector<UnitHolder> holders;
  const auto file = open_old_lock_file(lock_name(uuid));
  if (!file) return holders;
  collect_holders(file->get(), {0, kUnitParts}, holders);
  std::sort(holders.begin(), holders.end(), [](const UnitHolder& a, const UnitHolder& b) { return a.first < b.first; });
  for (UnitHolder& holder : holders) holder.name = read_name(file->get(), holder.first);
  return holders;
}

std::string holders_text(const std::vector<UnitHolder>& holders) {
  std::string text;
  for (const UnitHolder& holder : holders) {
    const std::string who = holder.name.study.empty() ? "another hpsearch study"
                                                      : "hpsearch study " + holder.name.study + " of " + holder.name.user;
    if (text.find(who) == std::string::npos) text += (text.empty() ? "used by " : " and ") + who;
  }
  return text;
}

}  // namespace hpsearch
