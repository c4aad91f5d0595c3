#pragma once

#include "trials/event.h"

namespace hpsearch {

// The local host as it is seen when it holds so many trials of one core each.
inline HostSeen here(int slots) { return {"local", HostState::up, "", static_cast<double>(slots), 0, {}}; }

}  // namespace hpsearch
