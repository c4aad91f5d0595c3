#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace hpsearch {

// Random numbers without state: the same (seed, counter) is the same number everywhere. The mixing is SplitMix64
// (Steele, Lea and Flood, OOPSLA 2014).
inline std::uint64_t counter_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed * 0xD1342543DE82EF95ULL + (counter + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// In [0, 1).
inline double counter_uniform(std::uint64_t seed, std::uint64_t counter) {
  return static_cast<double>(counter_bits(seed, counter) >> 11) * 0x1.0p-53;
}

// Standard normal, by Box and Muller.
inline double counter_normal(std::uint64_t seed, std::uint64_t counter) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - counter_uniform(seed, 2 * counter)));
  return radius * std::cos(2.0 * std::numbers::pi * counter_uniform(seed, 2 * counter + 1));
}

}  // namespace hpsearch
