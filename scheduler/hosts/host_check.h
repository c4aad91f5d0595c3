#pragma once

#include <string>

namespace hpsearch {

// Why trials can't be started on this machine, found out before the first one is: no working folder, a setup line that
// fails or waits, no such command. Empty when they can. An empty command depends on the trial. Takes up to 12 s where there is a setup line.
std::string host_fault(const std::string& folder, const std::string& setup, const std::string& command);

}  // namespace hpsearch
