#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hpsearch {

// "9.1 GB"
std::string memory_text(std::int64_t bytes);

// The user that a process runs as; empty when there is no such process here.
std::string user_of(std::int64_t pid);

// "pid 4242 of alice and 2 more": the first of `count` processes. One of another container has no user here.
std::string processes_text(const std::vector<std::int64_t>& pids, std::size_t count);

}  // namespace hpsearch
