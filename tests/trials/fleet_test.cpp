#include "trials/fleet.h"

#include <gtest/gtest.h>

#include "tests/support/here.h"

namespace hpsearch {
namespace {

// A fleet of the hosts and trial section given, as JSON.
Fleet fleet_of(const std::string& hosts, const std::string& trial = "{}") {
  Fleet fleet;
  fleet.begin(parse_spec(R"({"command": ["t", "{x}"], "metric": {"name": "m", "goal": "minimize"},
                             "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 1},
                             "trial": )" + trial + R"(, "hosts": )" + hosts + "}", "s.json"));
  return fleet;
}

HostSeen seen(const std::string& host, double cores, std::vector<Unit> units = {}) {
  return {host, HostState::up, "", cores, 64'000'000'000, std::move(units)};
}

Unit gpu(const std::string& id, int group = 0, const std::string& busy = "") { return {id, "NVIDIA A100", 80'000'000'000, 0, group, busy}; }

constexpr const char* kTwo = R"([{"ssh": "a"}, {"ssh": "b"}])";
using Names = std::vector<std::string>;

// Places trials until none fits; their slots.
std::vector<Slot> fill(Fleet& fleet) {
  std::vector<Slot> slots;
  while (auto slot = fleet.place("", "")) {
    fleet.occupy(*slot);
    slots.push_back(*slot);
  }
  return slots;
}

TEST(FleetPlacement, FillsHostsInTheOrderOfTheFile) {
  Fleet fleet = fleet_of(kTwo, R"({"gpus": 0})");
  fleet.see(seen("b", 2));
  fleet.see(seen("a", 1));
  const std::vector<Slot> slots = fill(fleet);
  ASSERT_EQ(slots.size(), 3u);
  EXPECT_EQ(slots[0].host, "a");
  EXPECT_EQ(slots[2], (Slot{"b", 1, {}, 1}));
  EXPECT_EQ(fleet.capacity(), 3);
  fleet.release(slots[1]);
  EXPECT_EQ(fleet.place("", ""), slots[1]);
}

TEST(FleetPlacement, PrefersAndAvoids) {
  Fleet fleet = fleet_of(kTwo, R"({"gpus": 0})");
  fleet.see(seen("a", 1));
  fleet.see(seen("b", 1));
  EXPECT_EQ(fleet.place("b", "")->host, "b");
  EXPECT_EQ(fleet.place("", "a")->host, "b");
  fleet.occupy({"b", 0, {}, 1});
  EXPECT_EQ(fleet.place("b", "")->host, "a");
  EXPECT_EQ(fleet.place("", "a")->host, "a") << "rather there than nowhere";
}

TEST(FleetPlacement, AutoWaitsForEveryHostAndIsOneGpuWhereAnyHasOne) {
  Fleet fleet = fleet_of(kTwo);
  fleet.see(seen("a", 8));
  EXPECT_FALSE(fleet.place("", ""));
  fleet.see(seen("b", 8, {gpu("G1"), gpu("G2")}));
  const std::vector<Slot> slots = fill(fleet);
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0], (Slot{"b", 0, {"G1"}, 1}));
  EXPECT_EQ(fleet.why_not(*fleet.find("a")), "has no GPU");
}

TEST(FleetPlacement, WithoutGpusAutoIsACoreEach) {
  Fleet fleet = fleet_of(R"([{"ssh": "a"}])", R"({"cpus": 3})");
  fleet.see(seen("a", 8));
  EXPECT_EQ(fleet.capacity(), 2);
}

TEST(FleetPlacement, CpuTrialsTakeHostsWithoutGpusFirst) {
  Fleet fleet = fleet_of(kTwo, R"({"gpus": 0})");
  fleet.see(seen("a", 1, {gpu("G")}));
  fleet.see(seen("b", 1));
  EXPECT_EQ(fleet.place("", "")->host, "b");
}

TEST(FleetPlacement, SeveralGpusComeFromTheSmallestGroupThatHasThem) {
  Fleet fleet = fleet_of(R"([{"ssh": "a"}])", R"({"gpus": 2})");
  fleet.see(seen("a", 8, {gpu("A1", 0), gpu("B1", 1), gpu("A2", 0), gpu("B2", 1), gpu("A3", 0)}));
  EXPECT_EQ(fleet.capacity(), 2);
  EXPECT_EQ(fleet.place("", "")->devices, (Names{"B1", "B2"}));
  fleet.occupy(*fleet.place("", ""));
  EXPECT_EQ(fleet.place("", "")->devices, (Names{"A1", "A2"}));
}

TEST(FleetPlacement, PartsFillAUnitBeforeTheNext) {
  Fleet fleet = fleet_of(R"([{"ssh": "a"}])", R"({"gpus": 0.5})");
  fleet.see(seen("a", 8, {gpu("G1"), gpu("G2")}));
  const std::vector<Slot> slots = fill(fleet);
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_EQ(slots[1].devices, Names{"G1"});
  EXPECT_EQ(slots[2].devices, Names{"G2"});
  fleet.release(slots[0]);
  EXPECT_EQ(fleet.place("", "")->devices, Names{"G1"});
}

TEST(FleetPlacement, BusyAndUnfitUnitsAreLeftOut) {
  Fleet fleet = fleet_of(R"([{"ssh": "a"}])", R"({"gpus": 1, "gpu_model": "a100", "gpu_memory": "40GB"})");
  Unit small = gpu("G0"), other = gpu("G1");
  small.memory = 16'000'000'000;
  other.model = "NVIDIA V100";
  fleet.see(seen("a", 8, {small, other, gpu("G2", 0, "9.1 GB in use by pid 4242 of alice"), gpu("G3")}));
  ASSERT_EQ(fill(fleet).size(), 1u);
  EXPECT_EQ(fleet.why_not(*fleet.find("a")), "GPU 0: 9.1 GB in use by pid 4242 of alice");
}

TEST(FleetPlacement, SlotsMemoryAndLabelsLimit) {
  Fleet fleet = fleet_of(R"([{"ssh": "a", "slots": 3, "labels": ["fast"]}, {"ssh": "b"}])", R"({"gpus": 0, "memory": "30GB", "labels": ["fast"]})");
  fleet.see(seen("a", 8));
  fleet.see(seen("b", 8));
  EXPECT_EQ(fill(fleet).size(), 2u);
  EXPECT_EQ(fleet.why_not(*fleet.find("b")), "lacks a label that trials need");
}

TEST(FleetPlacement, UnreachableHostsKeepTheirTrialsAndGetNoMore) {
  Fleet fleet = fleet_of(R"([{"ssh": "a"}])", R"({"gpus": 0})");
  fleet.see(seen("a", 2));
  fleet.occupy(*fleet.place("", ""));
  fleet.see({"a", HostState::unreachable, "timed out", 0, 0, {}});
  EXPECT_FALSE(fleet.place("", ""));
  EXPECT_EQ(fleet.why_not(*fleet.find("a")), "unreachable: timed out");
  EXPECT_FALSE(fleet.hopeless());
  fleet.see(seen("a", 2));
  EXPECT_EQ(fleet.place("", "")->index, 1);
}

TEST(FleetPlacement, HopelessWhenEveryHostIsRefusedOrTooSmall) {
  Fleet fleet = fleet_of(kTwo, R"({"gpus": 2})");
  fleet.see({"a", HostState::refused, "Permission denied", 0, 0, {}});
  EXPECT_FALSE(fleet.hopeless());
  fleet.see(seen("b", 8, {gpu("G")}));
  EXPECT_TRUE(fleet.hopeless());
}

TEST(FleetPlacement, AWeakHostIsSetAsideOnceOthersSucceed) {
  Fleet fleet = fleet_of(kTwo, R"({"gpus": 0})");
  fleet.see(seen("a", 1));
  fleet.see(seen("b", 1));
  for (int i = 0; i < 3; ++i) fleet.ended("a", true);
  EXPECT_EQ(fleet.place("", "")->host, "a") << "it may be the program's fault";
  fleet.ended("b", false);
  fleet.ended("a", true);
  EXPECT_EQ(fleet.place("", "")->host, "b");
  EXPECT_EQ(fleet.why_not(*fleet.find("a")), "4 attempts in a row failed here while others succeed elsewhere");
}

TEST(FleetPlacement, AHostThatLeftTheFileKeepsItsTrialsOnly) {
  Fleet fleet = fleet_of(kTwo, R"({"gpus": 0})");
  fleet.see(seen("a", 2));
  fleet.see(seen("b", 2));
  const Slot slot = *fleet.place("a", "");
  fleet.occupy(slot);
  const StudySpec without = parse_spec(R"({"command": ["t", "{x}"], "metric": {"name": "m", "goal": "minimize"},
      "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 1}, "trial": {"gpus": 0}, "hosts": [{"ssh": "b"}]})", "s.json");
  fleet.begin(without);
  ASSERT_NE(fleet.find("a"), nullptr);
  EXPECT_TRUE(fleet.find("a")->leaving);
  fleet.see(seen("a", 2));
  fleet.see(seen("b", 1));
  EXPECT_EQ(fill(fleet).size(), 1u);
  fleet.release(slot);
  fleet.begin(without);
  EXPECT_EQ(fleet.find("a"), nullptr);
}

TEST(FleetPlacement, ChargesTheShareOfTheHost) {
  Fleet fleet = fleet_of(R"([{"ssh": "a", "price_per_hour": 8}, {"ssh": "b", "slots": 4, "price_per_hour": 2}])", R"({"gpus": 2})");
  fleet.see(seen("a", 8, {gpu("G1"), gpu("G2"), gpu("G3"), gpu("G4")}));
  EXPECT_EQ(fleet.price_of({"a", 0, {"G1", "G2"}, 1}), 4);
  EXPECT_EQ(fleet.gpus_of({"a", 0, {"G1"}, 0.5}), 0.5);
}

}  // namespace
}  // namespace hpsearch
