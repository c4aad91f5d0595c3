#pragma once

#include <string>

namespace hpsearch {

// `hpsearch keeper DIR`: runs the attempt that DIR/launch.json describes, from its program's start to exit.json, and
// outlives the scheduler that started it. Descriptor 3, when it is a listening socket, is the attempt's channel.
// Returns the exit status: 0 once the attempt's end is recorded, however it ended.
int keeper_main(const std::string& folder);

}  // namespace hpsearch
