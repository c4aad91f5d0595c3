#include "objectives/device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/cuda.h>

#include <cstdlib>

namespace hpsearch {

torch::Device prepare_torch(std::uint64_t seed) {
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (threads != nullptr && std::atoi(threads) > 0) at::set_num_threads(std::atoi(threads));
  at::globalContext().setBenchmarkCuDNN(false);
  at::globalContext().setDeterministicCuDNN(true);
  const torch::Device device = torch::cuda::is_available() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  at::manual_seed(seed);
  return device;
}

}  // namespace hpsearch
