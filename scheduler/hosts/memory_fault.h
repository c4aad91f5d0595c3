#pragma once

#include <string>
#include <string_view>

namespace hpsearch {

// The last line of a program's output that says that a GPU's memory was too small, in the words of CUDA, HIP and the libraries
// and frameworks on top of them, from these words on; empty: none does. Words of the host's memory are none of them.
std::string memory_fault(std::string_view output);

}  // namespace hpsearch
