#pragma once

#include <chrono>

namespace hpsearch {

// Milliseconds throughout: wall-clock instants in the log, spans in limits.
using Span = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Span>;

}  // namespace hpsearch
