#pragma once

namespace hpsearch {

// `hpsearch agent --stdio`: the far side of a host that is not this machine. Starts and follows keepers here for the
// scheduler at the other end of standard input and output, and holds no state: all of it lies in the trial folders, so
// that it may be killed at any time. Ends with its input. Returns the exit status.
int agent_main();

}  // namespace hpsearch
