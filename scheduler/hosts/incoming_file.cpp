#include "scheduler/hosts/incoming_file.h"

#include <fcntl.h>

#include <stdexcept>

#include "scheduler/hosts/file_io.h"

namespace hpsearch {

namespace fs = std::filesystem;

IncomingFile::IncomingFile(fs::path place, fs::path draft, std::string hash, std::int64_t size)
    : place_(std::move(place)), draft_(std::move(draft)), hash_(std::move(hash)), left_(size) {
  fd_ = open_file(draft_, O_WRONLY | O_CREAT | O_EXCL, 0444);
}

IncomingFile::~IncomingFile() {
  if (fd_.open()) ::unlink(draft_.c_str());
}

void IncomingFile::append(std::string_view bytes) {
  if (bytes.size() > static_cast<std::uint64_t>(left_))
    throw std::invalid_argument("contents " + hash_ + ": more bytes than announced");
  write_bytes(fd_.get(), bytes, draft_);
  sum_.update(bytes);
  left_ -= static_cast<std::int64_t>(bytes.size());
}

void IncomingFile::finish() {
  if (left_ > 0) throw std::invalid_argument("contents " + hash_ + ": fewer bytes than announced");
  if (sum_.hex() != hash_) throw std::invalid_argument("contents " + hash_ + ": the bytes have another hash");
  sync_file(fd_.get(), draft_);
  if (::rename(draft_.c_str(), place_.c_str()) != 0) throw_errno(place_);
  fd_.close();
}

}  // namespace hpsearch
