#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "trials/json.h"

namespace hpsearch {

// Where a study's trials run on one host, as they see it.
struct HostPlace {
  std::filesystem::path study;               // Absolute: trial folders lie in it.
  std::filesystem::path folder;              // The space file's folder, or the copy of the study's files.
  std::string setup;                         // A shell line before the program; empty: none, and no shell.
  std::map<std::string, std::string> env;
  Json vars = Json::object();                // Settings that differ here.
};

}  // namespace hpsearch
