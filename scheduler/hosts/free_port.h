#pragma once

namespace hpsearch {

// A TCP port of this machine that nobody listens on at the moment. Throws std::system_error.
int free_port();

}  // namespace hpsearch
