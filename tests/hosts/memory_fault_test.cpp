#include "scheduler/hosts/memory_fault.h"

#include <gtest/gtest.h>

namespace hpsearch::testing {
namespace {

// As frameworks have said it, in their own words.
TEST(MemoryFault, IsSeenInWhatFrameworksSay) {
  for (const char* line : {
           "RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB (GPU 0; 14.76 GiB total capacity; 8.77 GiB already allocated)",
           "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.69 GiB",
           "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 512.00 MiB",
           "RuntimeError: CUDA error: out of memory",
           "RuntimeError: CUDA error:out of memory",
           "RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/THCTensorRandom.cu:25",
           "terminate called after throwing an instance of 'c10::OutOfMemoryError'",
           "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
           "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
           "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes (allocated so far: 0 bytes).",
           "cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorMemoryAllocation: out of memory",
           "  what():  std::bad_alloc: cudaErrorMemoryAllocation: out of memory",
           "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 bytes.",
           "RESOURCE_EXHAUSTED: Failed to allocate request for 176.00MiB (184549376B) on device ordinal 0",
           "local_client.cc:672] Execution of replica 0 failed: Resource exhausted: Out of memory while trying to allocate 55 bytes.",
           "ResourceExhaustedError: OOM when allocating tensor with shape[64,512] on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc",
           "failed to allocate 32.00M (33554432 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
           "  what():  [10:44:35] src/storage/./pooled_storage_manager.h:107: cudaMalloc failed: out of memory",
           "pycuda._driver.MemoryError: cuMemAlloc failed: out of memory",
       })
    EXPECT_NE(memory_fault(std::string("Traceback (most recent call last):\n") + line + "\n"), "") << line;
}

TEST(MemoryFault, IsNotTheHostsMemoryNorAnythingElse) {
  for (const char* line : {
           "MemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000) and data type float64",
           "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't allocate memory",
           "java.lang.OutOfMemoryError: Java heap space",
           "ResourceExhaustedError: OOM when allocating tensor with shape[9] on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu",
           "RESOURCE_EXHAUSTED: Quota exceeded for quota metric 'Read requests'",
           "RuntimeError: CUDA error: an illegal memory access was encountered",
           "OSError: [Errno 12] Cannot allocate memory",
           "",
       })
    EXPECT_EQ(memory_fault(line), "") << line;
}

TEST(MemoryFault, IsTheLastLineFromItsWordsOn) {
  EXPECT_EQ(memory_fault("RuntimeError: CUDA error: out of memory\nthen\nRuntimeError: CUDA out of memory. Tried to allocate 1.12 MiB\nframe #0"),
            "CUDA out of memory. Tried to allocate 1.12 MiB");
  EXPECT_EQ(memory_fault("CUDA out of memory" + std::string(1000, '.')).size(), 300u);
}

TEST(MemoryFault, IsFoundBeforeAStackOfManyFrames) {
  std::string output = "terminate called after throwing an instance of 'c10::OutOfMemoryError'\n  what():  CUDA out of memory. Tried to allocate 8.00 GiB\n";
  for (int frame = 0; frame < 100; ++frame) output += "frame #" + std::to_string(frame) + ": at::native::" + std::string(200, 'x') + "\n";
  EXPECT_EQ(memory_fault(output), "CUDA out of memory. Tried to allocate 8.00 GiB");
}

}  // namespace
}  // namespace hpsearch::testing
