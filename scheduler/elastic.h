#pragma once

#include <cstdint>
#include <optional>

#include "trials/study.h"

namespace hpsearch {

// When instances of elastic hosts come and go. Pure, as all decisions.

// An instance without trials that has been idle for as long as its host allows, or that is lost, refused, set aside or no
// longer in the space file.
std::optional<HostOrdered> next_release(const Fleet& fleet, Time now);

struct Launch {
  HostOrdered order;
  std::int64_t coming = 0;  // Trials that instances on their way will hold: it is for more than that.
};

// The next instance that could be brought up. None before every other host has answered: it may have room.
std::optional<Launch> next_launch(const Fleet& fleet, Time now);

// When one of these answers may change though nothing happens.
std::optional<Time> elastic_wake(const Fleet& fleet, Time now);

}  // namespace hpsearch
