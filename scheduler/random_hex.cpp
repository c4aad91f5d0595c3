#include "scheduler/random_hex.h"

#include <cstdio>
#include <random>

namespace hpsearch {

std::string random_hex(int words) {
  std::random_device device;
  std::string text;
  for (int i = 0; i < words; ++i) {
    char word[9];
    std::snprintf(word, sizeof word, "%08x", device());
    text += word;
  }
  return text;
}

}  // namespace hpsearch
