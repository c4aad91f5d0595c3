#include "cli/log_follower.h"

#include <array>

#include "cli/output.h"

namespace hpsearch {

bool LogFollower::copy() {
  std::ifstream in(file_, std::ios::binary);
  in.seekg(at_);
  std::array<char, 1 << 16> buffer;
  while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
    at_ += in.gcount();
    if (!print({buffer.data(), static_cast<std::size_t>(in.gcount())})) return false;
  }
  return true;
}

}  // namespace hpsearch
