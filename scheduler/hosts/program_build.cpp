#include "scheduler/hosts/program_build.h"

#include <array>
#include <fstream>

#include "scheduler/hosts/sha256.h"

namespace hpsearch {

std::string program_build(const std::filesystem::path& program) {
  Sha256 hash;
  std::ifstream in(program, std::ios::binary);
  for (std::array<char, 65536> buffer; in.read(buffer.data(), buffer.size()) || in.gcount() > 0;)
    hash.update({buffer.data(), static_cast<std::size_t>(in.gcount())});
  return hash.hex().substr(0, 32);
}

}  // namespace hpsearch
