#pragma once

#include <string>

namespace hpsearch {

// `hpsearch agent --stdio`: the far side of a host that is not this machine. Starts and follows keepers here for the
// scheduler at the other end of standard input and output, and holds no state: all of it lies in the trial folders, so
// that it may be killed at any time. Ends with its input. Returns the exit status.
int agent_main();

// `hpsearch agent --connect FOLDER`: passes standard input and output on to the pilot of that folder, on the same machine.
int connect_main(const std::string& pilot);

}  // namespace hpsearch
