#include "scheduler/hosts/range_lock.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace hpsearch {

namespace {

struct flock range_request(ByteRange range, short type) {
  struct flock request {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  request.l_start = range.begin;
  request.l_len = range.end - range.begin;
  return request;
}

short lock_type(RangeLock lock) {
  switch (lock) {
    case RangeLock::none: return F_UNLCK;
    case RangeLock::shared: return F_RDLCK;
    case RangeLock::alone: return F_WRLCK;
  }
  return F_UNLCK;
}

}  // namespace

bool lock_range(int fd, ByteRange range, RangeLock lock) {
  struct flock request = range_request(range, lock_type(lock));
  if (::fcntl(fd, F_OFD_SETLK, &request) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw std::system_error(errno, std::generic_category(), "locking a file");
}

std::optional<ByteRange> conflict_in(int fd, ByteRange range) {
  struct flock request = range_request(range, F_WRLCK);
  if (::fcntl(fd, F_OFD_GETLK, &request) != 0)
    throw std::system_error(errno, std::generic_category(), "asking for a file's locks");
  if (request.l_type == F_UNLCK) return std::nullopt;
  const off_t end = request.l_len == 0 ? range.end : request.l_start + request.l_len;
  return ByteRange{std::max(request.l_start, range.begin), std::min(end, range.end)};
}

}  // namespace hpsearch
