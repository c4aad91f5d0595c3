#include <gtest/gtest.h>

#include "trials/fleet.h"

namespace hpsearch {
namespace {

using Names = std::vector<std::string>;

// Hosts "a", "b", ... with so many units each: "a1", "a2", ...
Fleet units_of(const std::vector<int>& hosts, const std::string& gpus) {
  std::string list;
  for (std::size_t i = 0; i < hosts.size(); ++i) list += (i ? ", " : "") + std::string(R"({"ssh": ")") + static_cast<char>('a' + i) + R"("})";
  Fleet fleet;
  fleet.begin(parse_spec(R"({"command": ["t", "{x}"], "metric": {"name": "m", "goal": "minimize"},
                             "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 1},
                             "trial": {"gpus": )" + gpus + R"(}, "hosts": [)" + list + "]}", "s.json"));
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    HostSeen seen{std::string(1, static_cast<char>('a' + i)), HostState::up, "", 64, 0, {}};
    for (int unit = 1; unit <= hosts[i]; ++unit) seen.units.push_back({seen.host + std::to_string(unit), "A100", 80'000'000'000, unit, 0, ""});
    fleet.see(seen);
  }
  return fleet;
}

// Places a trial that shares.
Slot put(Fleet& fleet) {
  const Slot slot = *fleet.place("", "");
  fleet.occupy(slot);
  return slot;
}

TEST(FleetOutgrown, ItGetsAllOfAUnitAndPaysForIt) {
  Fleet fleet = units_of({2}, "0.5");
  const Slot outgrown = put(fleet);
  put(fleet);
  fleet.release(outgrown);
  fleet.keep_whole(1);
  const Slot alone = *fleet.place("", "", &outgrown);
  EXPECT_EQ(alone.devices, Names{"a2"}) << "another one";
  EXPECT_EQ(alone.share, 1);
  EXPECT_EQ(fleet.gpus_of(alone), 1);
  fleet.occupy(alone);
  fleet.keep_whole(0);
  EXPECT_EQ(put(fleet).devices, Names{"a1"}) << "what is left of the other";
  EXPECT_FALSE(fleet.place("", "")) << "nobody joins it";
  fleet.release(alone);
  EXPECT_EQ(fleet.place("", "")->devices, Names{"a2"});
}

TEST(FleetOutgrown, TheEmptiestUnitIsKeptForItAndTheOthersAreShared) {
  Fleet fleet = units_of({2}, "0.5");
  std::vector<Slot> slots;
  for (int i = 0; i < 4; ++i) slots.push_back(put(fleet));
  fleet.release(slots[3]);
  fleet.keep_whole(1);
  EXPECT_FALSE(fleet.place("", "", &slots[3])) << "one half of it is still in use";
  EXPECT_FALSE(fleet.place("", "")) << "nobody takes the other half";
  EXPECT_EQ(fleet.why_not(*fleet.find("a")), "GPU 2 is kept for a trial that needs all of its memory");
  fleet.release(slots[0]);
  EXPECT_EQ(fleet.place("", "")->devices, Names{"a2"}) << "now the other unit is as empty and comes first";
  fleet.occupy(*fleet.place("", ""));
  fleet.release(slots[1]);
  EXPECT_FALSE(fleet.place("", ""));
  EXPECT_EQ(fleet.place("", "", &slots[3])->devices, Names{"a1"});
  fleet.keep_whole(0);
  EXPECT_TRUE(fleet.place("", ""));
}

TEST(FleetOutgrown, ItsOwnUnitWillDoWhereThereIsNoOther) {
  Fleet fleet = units_of({1}, "0.5");
  const Slot outgrown = put(fleet);
  fleet.release(outgrown);
  fleet.keep_whole(1);
  EXPECT_EQ(*fleet.place("", "", &outgrown), (Slot{"a", 0, {"a1"}, 1}));
}

TEST(FleetOutgrown, WholeUnitsAreTriedOnceMoreOnOthersWhereThereAreAny) {
  Fleet fleet = units_of({3}, "1");
  const Slot outgrown = put(fleet);
  EXPECT_EQ(outgrown.devices, Names{"a1"});
  fleet.release(outgrown);
  fleet.keep_whole(1);
  EXPECT_EQ(fleet.place("", "a", &outgrown)->devices, Names{"a2"});
  EXPECT_EQ(fleet.place("", "")->devices, Names{"a1"}) << "which stays good for others";
  Fleet pairs = units_of({3}, "2");
  const Slot both = put(pairs);
  pairs.release(both);
  EXPECT_EQ(pairs.place("", "a", &both)->devices.size(), 2u) << "rather those again than none";
}

TEST(FleetOutgrown, AnotherHostIsGoodToo) {
  Fleet fleet = units_of({1, 1}, "0.5");
  const Slot outgrown = put(fleet);
  put(fleet);
  fleet.release(outgrown);
  fleet.keep_whole(1);
  EXPECT_EQ(fleet.place("", "a", &outgrown)->devices, Names{"b1"});
}

// ---- Units that other studies have parts of ----------------------------------------------------------------------

Unit part(const std::string& id, double free) {
  Unit unit{id, "A100", 80'000'000'000, 0, 0, ""};
  unit.free = free;
  return unit;
}

TEST(FleetFreeParts, OnlyWhatOthersLeaveIsGivenOut) {
  Fleet fleet = units_of({0}, "0.25");
  fleet.see({"a", HostState::up, "", 64, 0, {part("a1", 0.5), part("a2", 0.2), part("a3", 1)}});
  EXPECT_EQ(fleet.capacity(), 2 + 0 + 4);
  int on_first = 0, all = 0;
  while (const auto slot = fleet.place("", "")) {
    EXPECT_NE(slot->devices, Names{"a2"});
    on_first += slot->devices == Names{"a1"};
    fleet.occupy(*slot);
    ++all;
  }
  EXPECT_EQ(on_first, 2);
  EXPECT_EQ(all, 6);
}

TEST(FleetFreeParts, ThirdsThatOthersHaveLeaveThirds) {
  Fleet fleet = units_of({0}, std::to_string(1.0 / 3));
  fleet.see({"a", HostState::up, "", 64, 0, {part("a1", 1 - 840.0 / 2520)}});
  EXPECT_EQ(fleet.capacity(), 2);
}

TEST(FleetFreeParts, NothingWholeIsPlacedBesideOthers) {
  Fleet fleet = units_of({0}, "1");
  fleet.see({"a", HostState::up, "", 64, 0, {part("a1", 0.5)}});
  EXPECT_EQ(fleet.capacity(), 0);
  EXPECT_FALSE(fleet.place("", ""));
  Fleet halves = units_of({0}, "0.5");
  halves.see({"a", HostState::up, "", 64, 0, {part("a1", 0.5)}});
  const Slot outgrown{"a", 0, {"a1"}, 0.5};
  halves.keep_whole(1);
  EXPECT_FALSE(halves.place("", "", &outgrown));
}

TEST(FleetFreeParts, LogsFromBeforeThemMeanAllOfIt) {
  const Json body = Json::parse(R"({"host": "a", "units": [{"id": "a1", "model": "", "memory": 1, "index": 0, "group": 0}]})");
  const auto event = parse_event("host_seen", body);
  EXPECT_EQ(std::get<HostSeen>(std::get<Fact>(event)).units.at(0).free, 1);
}

}  // namespace
}  // namespace hpsearch
