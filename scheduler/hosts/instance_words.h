#pragma once

#include <string>
#include <vector>

#include "scheduler/hosts/command_run.h"
#include "trials/host_spec.h"

namespace hpsearch {

// What is said between hpsearch and the commands of an elastic host.

// The address that a launch command printed: the last line that is not empty. Empty: it printed none that can be one.
std::string address_in(const std::string& output);

// The arguments with "{host}" and "{instance}" filled in; other braces stay.
std::vector<std::string> filled(std::vector<std::string> arguments, const std::string& address, const std::string& instance);

// The entry as that of an ordinary host at this address.
HostSpec at_address(HostSpec spec, const std::string& address);

// Why a command failed: "exit 3: no capacity left in this zone".
std::string failure_of(const CommandResult& result);

}  // namespace hpsearch
