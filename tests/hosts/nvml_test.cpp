#include "scheduler/hosts/nvml.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "scheduler/hosts/gpu_rule.h"
#include "tests/hosts/trial_lab.h"

namespace hpsearch::testing {
namespace {

// The library found is the stand-in of tests/support/fake_nvml.cpp (LD_LIBRARY_PATH in CMakeLists.txt).
class NvmlTest : public ::testing::Test {
 protected:
  NvmlTest() : file_(home_.path() / "gpus") { ::setenv("FAKE_NVML", file_.c_str(), 1); }

  GpuReadings read(const std::string& driver) {
    std::ofstream(file_) << driver;
    if (!nvml_) nvml_ = Nvml::load();
    return nvml_ ? nvml_->read() : GpuReadings{{}, "not installed"};
  }

  std::string reason(const std::string& gpu) {
    const GpuReadings readings = read("gpu GPU-0 memory=80000 " + gpu + "\n");
    return readings.units.size() == 1 ? busy_reason(readings.units[0]) : readings.fault;
  }

  TemporaryFolder home_;
  std::filesystem::path file_;
  std::unique_ptr<Nvml> nvml_;
};

TEST_F(NvmlTest, ReadsWholeGpusAndInstances) {
  const GpuReadings readings = read(
      "gpu GPU-a memory=80000 reserved=500 used=100 util=3\n"
      "gpu GPU-b memory=40000\n"
      "mig MIG-1 memory=10000 used=20\n"
      "mig MIG-2 memory=10000\n");
  EXPECT_EQ(readings.fault, "");
  ASSERT_EQ(readings.units.size(), 3u);
  EXPECT_EQ(readings.units[0].uuid, "GPU-a");
  EXPECT_EQ(readings.units[0].memory, std::int64_t{79500} << 20);
  EXPECT_EQ(readings.units[0].memory_used, std::int64_t{100} << 20);
  EXPECT_EQ(readings.units[0].utilization, 3);
  EXPECT_EQ(readings.units[0].processes, 0);
  EXPECT_EQ(readings.units[1].uuid, "MIG-1");
  EXPECT_EQ(readings.units[1].gpu, "GPU-b");
  EXPECT_EQ(readings.units[2].index, 1);
  EXPECT_FALSE(readings.units[2].utilization);
}

TEST_F(NvmlTest, OldDriversLackCalls) {
  const GpuReadings readings = read("without nvmlDeviceGetMemoryInfo_v2\ngpu GPU-a memory=1000 reserved=30 used=7\n");
  ASSERT_EQ(readings.units.size(), 1u);
  EXPECT_EQ(readings.units[0].memory_used, std::int64_t{37} << 20);
}

TEST_F(NvmlTest, ADriverThatCantBeSeenIsNotAMachineWithoutGpus) {
  EXPECT_EQ(read("init 18\n").fault, "Driver/library version mismatch");
  EXPECT_EQ(read("gpu GPU-a memory=1000\n").units.size(), 1u) << "once it is well again";
  EXPECT_EQ(read("init 9\n").fault, "Driver Not Loaded");
  EXPECT_EQ(read("").units.size(), 0u);
}

TEST_F(NvmlTest, ALostGpuTakesNoOtherWithIt) {
  const GpuReadings readings = read("gpu GPU-a memory=1000 gone=1\ngpu GPU-b memory=1000\n");
  ASSERT_EQ(readings.units.size(), 2u);
  EXPECT_EQ(readings.units[0].fault, "GPU is lost");
  EXPECT_EQ(readings.units[1].fault, "");
}

TEST_F(NvmlTest, FreeIsWhatNobodyUses) {
  EXPECT_EQ(reason("used=450 util=3"), "");
  EXPECT_EQ(reason("used=2300"), "") << "3 % of 80 GB";
  EXPECT_EQ(reason("mode=3"), "") << "exclusive to one program, and nobody is there";
}

TEST_F(NvmlTest, BusySaysByWhom) {
  EXPECT_EQ(reason("used=9000 processes=" + std::to_string(::getpid())).rfind("9.4 GB in use by pid " + std::to_string(::getpid()) + " of ", 0), 0u);
  EXPECT_EQ(reason("processes=4100000,4100001"), "0.0 GB in use by pid 4100000 and 1 more");
  EXPECT_EQ(reason("used=9000"), "9.4 GB in use by no program that can be seen");
  EXPECT_EQ(reason("util=45"), "45 % busy");
  EXPECT_EQ(reason("mode=2"), "its compute mode is prohibited");
  EXPECT_EQ(reason("lost=1"), "can't be read: GPU is lost");
}

}  // namespace
}  // namespace hpsearch::testing
