#include "trials/random.h"

namespace hpsearch {
namespace {

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high_word(b) ^ counter[1] ^ key[0], low_word(b), high_word(a) ^ counter[3] ^ key[1], low_word(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t trial)
    : key_(seed), purpose_(fnv1a(purpose)), trial_(trial) {}

RandomStream::result_type RandomStream::operator()() {
  if (used_ == 4) {
    output_ = philox4x32({block_++, purpose_, low_word(trial_), high_word(trial_)}, {low_word(key_), high_word(key_)});
    used_ = 0;
  }
  const std::uint64_t low = output_[used_++];
  return low | std::uint64_t{output_[used_++]} << 32;
}

double RandomStream::uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

std::uint64_t RandomStream::below(std::uint64_t bound) {
  if (bound == 0) return (*this)();
  const std::uint64_t biased = -bound % bound;  // The first 2^64 mod bound draws would make low results likelier.
  std::uint64_t draw = (*this)();
  while (draw < biased) draw = (*this)();
  return draw % bound;
}

}  // namespace hpsearch
