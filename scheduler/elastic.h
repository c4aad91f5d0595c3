#pragma once

#include <cstdint>
#include <optional>

#include "trials/study.h"

namespace hpsearch {

// When instances of elastic hosts come and go. Pure, as all decisions.

// An instance without trials that has been idle for as long as its host allows, or that is lost, refused or no longer in the
// space file.
std::optional<HostOrdered> next_release(const Fleet& fleet, Time now);

// Whether one could be brought up now.
bool launch_possible(const Fleet& fleet, Time now);

// The next instance to bring up for so many trials that have no room, those that are on their way taken into account.
// None before every other host has answered: it may have room.
std::optional<HostOrdered> next_launch(const Fleet& fleet, std::int64_t waiting, Time now);

// When one of these answers may change though nothing happens.
std::optional<Time> elastic_wake(const Fleet& fleet, Time now);

}  // namespace hpsearch
