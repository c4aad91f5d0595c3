#pragma once

#include <string>

#include "trials/event.h"

namespace hpsearch {

// What this machine has to give, its GPUs left out.
HostSeen local_view(const std::string& host);

}  // namespace hpsearch
