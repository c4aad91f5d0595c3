#include <gtest/gtest.h>

#include "trials/fleet.h"

namespace hpsearch {
namespace {

StudySpec spec_of(SlurmSpec slurm, std::optional<int> slots) {
  StudySpec spec;
  HostSpec host;
  host.name = "cluster";
  host.kind = HostKind::slurm;
  host.slurm = std::move(slurm);
  host.slots = slots;
  spec.hosts = {host};
  spec.trial.gpus = 2;
  spec.trial.cpus = 8;
  spec.trial.memory = 1 << 30;
  return spec;
}

int capacity_of(SlurmSpec slurm, std::optional<int> slots = std::nullopt) {
  Fleet fleet;
  fleet.begin(spec_of(std::move(slurm), slots));
  fleet.see({"cluster", HostState::up, "", 0, 0, {}});
  return fleet.capacity();
}

TEST(FleetOfSlurm, HoldsAsManyTrialsAsItMayHaveJobs) {
  SlurmSpec slurm;
  EXPECT_EQ(capacity_of(slurm), 100);
  EXPECT_EQ(capacity_of(slurm, 7), 7);
  slurm.pilot = true;
  slurm.max_jobs = 3;
  EXPECT_EQ(capacity_of(slurm), 3);
  EXPECT_EQ(capacity_of(slurm, 4), 12);
}

TEST(FleetOfSlurm, LeavesTheDevicesToSlurm) {
  Fleet fleet;
  fleet.begin(spec_of({}, std::nullopt));
  EXPECT_EQ(fleet.place("", ""), std::nullopt);
  fleet.see({"cluster", HostState::up, "", 0, 0, {}});
  const auto slot = fleet.place("", "");
  ASSERT_TRUE(slot);
  EXPECT_TRUE(slot->devices.empty());
  EXPECT_FALSE(fleet.hopeless());
  EXPECT_EQ(fleet.why_not(fleet.hosts().front()), "");
}

TEST(FleetOfSlurm, IsHopelessOnceItIsRefused) {
  Fleet fleet;
  fleet.begin(spec_of({}, std::nullopt));
  fleet.see({"cluster", HostState::refused, "invalid partition specified: nope", 0, 0, {}});
  EXPECT_TRUE(fleet.hopeless());
}

}  // namespace
}  // namespace hpsearch
