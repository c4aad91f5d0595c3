#pragma once

#include <string>
#include <vector>

#include "trials/host_spec.h"

namespace hpsearch {

// What the far side prints when it has no copy of the program and reads one from its standard input.
inline constexpr const char* kProgramWanted = "hpsearch: program wanted";

// The command that connects to a host's agent: ssh with strict keys and without any prompt, or the user's own command.
// What is run there is constant: hpsearch's path, or a line of POSIX sh that keeps a copy of this program by its content
// (`build`, `size` bytes) in the user's cache folder. All that varies goes over the channel.
std::vector<std::string> agent_command(const HostSpec& host, const std::string& build, std::uint64_t size);

}  // namespace hpsearch
