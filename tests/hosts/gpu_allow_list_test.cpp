#include "scheduler/hosts/gpu_allow_list.h"

#include <gtest/gtest.h>

#include "scheduler/hosts/gpu_groups.h"
#include "scheduler/hosts/visible_devices.h"

namespace hpsearch {
namespace {

GpuReading gpu(int index, const std::string& uuid) {
  GpuReading reading;
  reading.index = index;
  reading.uuid = reading.gpu = uuid;
  return reading;
}

GpuReading instance(int index, const std::string& uuid, const std::string& parent) {
  GpuReading reading = gpu(index, uuid);
  reading.gpu = parent;
  return reading;
}

std::vector<GpuReading> five() {
  return {gpu(0, "GPU-a0"), gpu(1, "GPU-a1"), gpu(2, "GPU-b2"), gpu(3, "GPU-c3"), gpu(4, "GPU-d4")};
}

// The units allowed, or "fault", and what is told.
std::string allowed(const GpuAllowance& allowance, const std::vector<GpuReading>& units = five()) {
  const AllowedGpus allowed = allowed_gpus(allowance, units);
  std::string text;
  for (const std::string& uuid : allowed.uuids) text += uuid.substr(4) + ' ';
  EXPECT_TRUE(allowed.fault.empty() || allowed.uuids.empty());
  return text + (allowed.fault.empty() ? "" : "fault: " + allowed.fault) + allowed.remark;
}

std::string visible(const std::string& value, const std::vector<GpuReading>& units = five()) { return allowed({value, {}, {}}, units); }

TEST(GpuAllowList, WithoutLimitsAllAreAllowed) {
  EXPECT_EQ(allowed({}), "a0 a1 b2 c3 d4 ");
  EXPECT_EQ(allowed({{}, {}, 2}), "a0 a1 ");
}

TEST(GpuAllowList, TheVariableNamesIndicesAndUuids) {
  EXPECT_EQ(visible("4,1"), "d4 a1 ");
  EXPECT_EQ(visible(" 0 ,\t1 "), "a0 a1 ");
  EXPECT_EQ(visible("GPU-b2"), "b2 ");
  EXPECT_EQ(visible("GPU-b,GPU-d"), "b2 d4 ");
}

TEST(GpuAllowList, TheVariableIsReadUpToTheFirstInvalidEntry) {
  EXPECT_EQ(visible("0,,1"), "a0 CUDA_VISIBLE_DEVICES=0,,1 is read up to \"\": this machine has GPUs 0 to 4");
  EXPECT_EQ(visible("2,GPU-a,1"), "b2 CUDA_VISIBLE_DEVICES=2,GPU-a,1 is read up to \"GPU-a\": this machine has GPUs 0 to 4");
  EXPECT_EQ(visible("1,-1,2"), "a1 CUDA_VISIBLE_DEVICES=1,-1,2 is read up to \"-1\": this machine has GPUs 0 to 4");
  EXPECT_EQ(visible("0,0"), "a0 CUDA_VISIBLE_DEVICES=0,0 names 0 twice; it counts once");
}

TEST(GpuAllowList, TheVariableCanMeanNoGpu) {
  EXPECT_EQ(visible(""), "CUDA_VISIBLE_DEVICES is empty: no GPU is to be used");
  EXPECT_EQ(visible("-1"), "CUDA_VISIBLE_DEVICES=-1: no GPU is to be used");
  EXPECT_EQ(visible("NoDevFiles"), "CUDA_VISIBLE_DEVICES=NoDevFiles: no GPU is to be used");
}

TEST(GpuAllowList, WhatMatchesNothingIsRefused) {
  EXPECT_EQ(visible("7"), "fault: CUDA_VISIBLE_DEVICES=7: this machine has GPUs 0 to 4");
  EXPECT_EQ(visible("1x"), "fault: CUDA_VISIBLE_DEVICES=1x: this machine has GPUs 0 to 4");
  EXPECT_EQ(visible("GPU-"), "fault: CUDA_VISIBLE_DEVICES=GPU-: this machine has GPUs 0 to 4");
  EXPECT_EQ(visible("7", {gpu(0, "GPU-a0")}), "fault: CUDA_VISIBLE_DEVICES=7: this machine has GPU 0 only");
  EXPECT_EQ(visible("7", {}), "") << "a machine without GPUs";
}

TEST(GpuAllowList, TheHostsListIsReadWithinTheVariable) {
  EXPECT_EQ(allowed({{}, {{"0", "3"}}, {}}), "a0 c3 ");
  EXPECT_EQ(allowed({"4,1", {{"1"}}, {}}), "a1 ");
  EXPECT_EQ(allowed({"4,1", {{"0"}}, {}}), "fault: CUDA_VISIBLE_DEVICES=4,1 and \"gpus\" have no GPU in common");
  EXPECT_EQ(allowed({{}, {{"9", "GPU-c"}}, {}}), "c3 \"gpus\" names 9: this machine has GPUs 0 to 4");
  EXPECT_EQ(allowed({{}, {{"9"}}, {}}), "fault: \"gpus\" names 9: this machine has GPUs 0 to 4");
  EXPECT_EQ(allowed({{}, {{}}, {}}), "");
  EXPECT_EQ(allowed({"4,1,0", {{"0", "1", "4"}}, 2}), "a0 a1 ");
}

TEST(GpuAllowList, InstancesAreUnitsOfTheirOwn) {
  const std::vector<GpuReading> units = {gpu(0, "GPU-w"), instance(1, "MIG-1", "GPU-p"), instance(1, "MIG-GPU-p/2/0", "GPU-p")};
  EXPECT_EQ(visible("MIG-GPU-p/2/0,MIG-1", units), "GPU-p/2/0 1 ");
  EXPECT_EQ(visible("1", units), "1 GPU-p/2/0 ") << "a partitioned GPU is all its instances";
  EXPECT_EQ(visible("GPU-p", units), "1 GPU-p/2/0 ");
}

TEST(GpuAllowList, AGpuThatIsLostKeepsItsNumber) {
  std::vector<GpuReading> units = five();
  units[1].uuid = units[1].gpu = "";
  EXPECT_EQ(visible("1,2", units), "b2 ");
}

TEST(GpuGroups, JoinWhatIsClose) {
  // 0 and 1 on a board, 1 and 2 under a bridge, 3 in the same node, 4 elsewhere.
  const int levels[5][5] = {{0, 0, 50, 50, 50}, {0, 0, 30, 50, 50}, {0, 0, 0, 40, 50}, {0, 0, 0, 0, 50}, {}};
  EXPECT_EQ(gpu_groups(5, [&](int a, int b) { return levels[a][b]; }), (std::vector<int>{0, 0, 0, 3, 4}));
  EXPECT_EQ(gpu_groups(2, [](int, int) { return std::nullopt; }), (std::vector<int>{0, 0}));
  EXPECT_EQ(gpu_groups(0, [](int, int) { return 0; }), (std::vector<int>{}));
}

TEST(VisibleDevices, AreUuidsOrIndices) {
  const std::vector<Unit> units = {{"GPU-b", "", 0, 4, 0, ""}, {"MIG-1", "", 0, 2, 0, ""}};
  EXPECT_EQ(visible_devices(units, DeviceNames::uuid), "GPU-b,MIG-1");
  EXPECT_EQ(visible_devices(units, DeviceNames::index), "4,MIG-1");
  EXPECT_EQ(visible_devices({}, DeviceNames::index), "");
}

}  // namespace
}  // namespace hpsearch
