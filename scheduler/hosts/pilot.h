#pragma once

#include <string>

namespace hpsearch {

// `hpsearch pilot FOLDER`: what a job of a cluster becomes that runs many attempts one after the other. Keepers are its
// children, so that they live as long as the job; one scheduler at a time, the newest, talks to it as to an agent, through
// a socket on this machine that FOLDER/pilot.json names. USR1, before the job's time is over, has it take no more trials
// and warn those that run. Ends when nothing has run for a minute. Returns the exit status.
int pilot_main(const std::string& folder);

// The socket of the pilot of that folder. Throws std::runtime_error when it has none yet.
std::string pilot_socket(const std::string& folder);

}  // namespace hpsearch
