#pragma once

#include <torch/types.h>

#include <cstdint>

namespace hpsearch {

// Prepares LibTorch for one repeatable training: OMP_NUM_THREADS threads when that is set, deterministic kernels,
// every random generator seeded. Returns the GPU of this process's LOCAL_RANK, the first without it, else the CPU.
torch::Device prepare_torch(std::uint64_t seed);

}  // namespace hpsearch
