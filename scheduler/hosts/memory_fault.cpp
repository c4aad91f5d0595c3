#include "scheduler/hosts/memory_fault.h"

#include "scheduler/hosts/text_file.h"
#include "trials/pattern.h"

namespace hpsearch {

namespace {

constexpr std::size_t kLongest = 300;

const Pattern& words() {
  static const Pattern words(
      "((?:"
      "(?:CUDA|HIP) out of memory|(?:CUDA|HIP) error: ?out of memory|cuda runtime error \\(2\\) : out of memory|"
      "CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation|hipErrorOutOfMemory|hipErrorMemoryAllocation|"
      "(?:cudaMalloc|hipMalloc|cuMemAlloc).{0,200}out of memory|"
      "(?:CUBLAS|CUDNN|CUSPARSE|CUSOLVER|HIPBLAS|MIOPEN)_STATUS_ALLOC_FAILED|CUFFT_ALLOC_FAILED|"
      "(?:torch|torch\\.cuda|cupy\\.cuda\\.memory)\\.OutOfMemoryError|c10::(?:CUDA)?OutOfMemoryError|"
      "(?:RESOURCE_EXHAUSTED|Resource exhausted): (?:OOM|[Oo]ut of memory|Failed to allocate)|"
      "OOM when allocating tensor|out_of_memory: CUDA error|RMM_ERROR_OUT_OF_MEMORY"
      ").*)");
  return words;
}

// TensorFlow says so of the host's memory in the same words.
bool of_the_host(std::string_view line) { return line.find("device:CPU:") != std::string_view::npos; }

}  // namespace

std::string memory_fault(std::string_view output) {
  for (std::size_t end = output.size(); end > 0;) {
    const std::size_t newline = output.rfind('\n', end - 1);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view line = output.substr(begin, end - begin);
    if (const auto found = words().search(line); found && !of_the_host(line)) return as_utf8(std::string(found->at(0)->substr(0, kLongest)));
    end = newline == std::string_view::npos ? 0 : newline;
  }
  return "";
}

}  // namespace hpsearch
