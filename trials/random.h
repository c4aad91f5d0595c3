#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hpsearch {

// A counter-based random stream: Philox4x32-10 (Salmon et al., SC 2011). The key is the study's seed, the counter
// holds purpose, trial number and position, so every draw is a pure function of (seed, purpose, trial, position),
// the same on every machine. Satisfies UniformRandomBitGenerator.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t trial);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();

  double uniform();                                // In [0, 1), 53 bits.
  std::uint64_t below(std::uint64_t bound);        // In [0, bound), unbiased; bound 0 means 2^64.

 private:
  std::uint64_t key_;
  std::uint32_t purpose_;
  std::uint64_t trial_;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 4> output_{};
  int used_ = 4;
};

// The Philox4x32-10 block function, for the known-answer test.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

}  // namespace hpsearch
