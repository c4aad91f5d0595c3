#pragma once

#include <map>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// What repeats a trial outside hpsearch: the same arguments, environment and seed, in one go to the level it reached.
struct Repeat {
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
};

// `params_file` is where the trial's parameters lie as JSON, `seed` what it was given.
Repeat repeat_of(const Study& study, const Trial& trial, std::uint64_t seed, const std::string& params_file);

}  // namespace hpsearch
