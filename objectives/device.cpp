#include "objectives/device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <malloc.h>
#include <torch/cuda.h>

#include <cstdlib>

namespace hpsearch {
namespace {

// Activations come and go with every batch: kept in the process they cost no page faults (10 % of the time).
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

// A launcher may also show each rank its own GPU alone.
torch::Device own_device() {
  if (!torch::cuda::is_available()) return torch::kCPU;
  const char* rank = std::getenv("LOCAL_RANK");
  const int gpus = static_cast<int>(torch::cuda::device_count());
  return {torch::kCUDA, static_cast<c10::DeviceIndex>(rank != nullptr ? std::atoi(rank) % gpus : 0)};
}

}  // namespace

torch::Device prepare_torch(std::uint64_t seed) {
  keep_freed_memory();
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (threads != nullptr && std::atoi(threads) > 0) at::set_num_threads(std::atoi(threads));
  at::globalContext().setBenchmarkCuDNN(false);
  at::globalContext().setDeterministicCuDNN(true);
  at::manual_seed(seed);
  return own_device();
}

}  // namespace hpsearch
