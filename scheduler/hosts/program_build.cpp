#include "scheduler/hosts/program_build.h"

#include <array>
#include <fstream>
#include <map>

#include "scheduler/hosts/sha256.h"

namespace hpsearch {

namespace {

std::string hash_of(const std::filesystem::path& program) {
  Sha256 hash;
  std::ifstream in(program, std::ios::binary);
  for (std::array<char, 65536> buffer; in.read(buffer.data(), buffer.size()) || in.gcount() > 0;)
    hash.update({buffer.data(), static_cast<std::size_t>(in.gcount())});
  return hash.hex().substr(0, 32);
}

}  // namespace

// The running program does not change: one reading serves every connection.
std::string program_build(const std::filesystem::path& program) {
  static std::map<std::filesystem::path, std::string> known;
  std::string& build = known[program];
  if (build.empty()) build = hash_of(program);
  return build;
}

}  // namespace hpsearch
