#pragma once

#include <sys/types.h>

#include <optional>

namespace hpsearch {

// Locks on ranges of a file's bytes that belong to its open file description (F_OFD_SETLK): those of one description never
// conflict with each other, and all end when the last descriptor of it is closed, in whatever process.
struct ByteRange {
  off_t begin = 0, end = 0;                  // The end is no longer part of it.
};
enum class RangeLock { none, shared, alone };

// Whether it could be done at once. Throws std::system_error when the file system has no such locks.
bool lock_range(int fd, ByteRange range, RangeLock lock);

// What of the range another description has locked, in any way: some such range, cut to the one asked for; none: nothing.
std::optional<ByteRange> conflict_in(int fd, ByteRange range);

}  // namespace hpsearch
