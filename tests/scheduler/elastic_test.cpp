#include "scheduler/elastic.h"

#include <gtest/gtest.h>

#include "trials/elastic.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

StudySpec spec_with(const std::string& hosts) {
  return parse_spec(R"({"command": ["t", "{x}"], "metric": {"name": "m", "goal": "minimize"}, "params": {"x": {"type": "float", "low": 0, "high": 1}},
                        "limits": {"trials": 9}, "trial": {"gpus": 0}, "hosts": )" + hosts + "}", "s.json");
}

std::string entry(const std::string& more = "") {
  return R"([{"name": "cloud", "ssh": "{host}", "elastic": {"launch": ["up"], "release": ["down"], "max": 3, "idle": "10s"})" + more + "}]";
}

Time at(int seconds) { return Time(Span(seconds * 1000)); }

// Hosts in a session that began at 0, and what is decided of them.
struct Cloud {
  explicit Cloud(const std::string& more = "") { fleet.begin(spec_with(entry(more)), at(0)); }

  std::vector<std::string> launch(int waiting, int now) {
    std::vector<std::string> launched;
    for (auto next = next_launch(fleet, at(now)); next && next->coming < waiting; next = next_launch(fleet, at(now))) {
      launched.push_back(next->order.host);
      fleet.order(next->order, at(now));
    }
    return launched;
  }
  std::string release(int now) {
    const auto order = next_release(fleet, at(now));
    if (order) fleet.order(*order, at(now));
    return order ? order->host + ": " + order->reason : "";
  }
  void see(const std::string& host, HostState state, int now, const std::string& reason = "", double cores = 2) {
    fleet.see({host, state, reason, state == HostState::up ? cores : 0, 0, {}, state == HostState::off ? "" : "10.0.0.1"}, at(now));
  }

  Fleet fleet;
};

using Names = std::vector<std::string>;

TEST(Elastic, AnEntryStandsForItsInstances) {
  const std::vector<HostSpec> hosts = session_hosts(spec_with(R"([{"local": true}, {"name": "c", "ssh": "{host}",
      "elastic": {"launch": ["up"], "release": ["down"], "max": 2}}])"));
  ASSERT_EQ(hosts.size(), 3u);
  EXPECT_EQ(hosts[1].name, "c-1");
  EXPECT_EQ(hosts[2].name, "c-2");
  EXPECT_EQ(hosts[2].entry, "c");
  EXPECT_EQ(hosts[2].lost_after, Span(120'000));
}

TEST(Elastic, NamesOfInstancesAreTakenByNoOtherHost) {
  for (const char* name : {"cloud-2", "cloud"}) {
    const std::string hosts = entry();
    EXPECT_THROW(spec_with(hosts.substr(0, hosts.size() - 1) + R"(, {"ssh": "h", "name": ")" + name + R"("}])"), UserError);
  }
  EXPECT_EQ(instance_name("My study", "0123456789abcdef", "cloud-1"), "hp-my-study-01234567-cloud-1");
  EXPECT_LE(instance_name(std::string(200, 's'), "0123456789abcdef", std::string(200, 'h') + "-12").size(), 63u);
}

TEST(Elastic, AsManyComeUpAsTrialsNeedAndNoMoreThanMax) {
  EXPECT_EQ(Cloud().launch(0, 0), Names{});
  EXPECT_EQ(Cloud().launch(2, 0), (Names{"cloud-1", "cloud-2"}));
  EXPECT_EQ(Cloud().launch(100, 0), (Names{"cloud-1", "cloud-2", "cloud-3"}));
  EXPECT_EQ(Cloud(R"(, "slots": 4)").launch(5, 0), (Names{"cloud-1", "cloud-2"}));
}

TEST(Elastic, WhatOneTurnedOutToHoldIsRemembered) {
  Cloud cloud;
  cloud.launch(1, 0);
  cloud.see("cloud-1", HostState::up, 5, "", 8);
  EXPECT_EQ(cloud.launch(8, 6), Names{"cloud-2"});
}

TEST(Elastic, OneIsKeptForAsLongAsItMayBeIdle) {
  Cloud cloud;
  cloud.launch(1, 0);
  EXPECT_EQ(cloud.release(100), "") << "on its way";
  cloud.see("cloud-1", HostState::up, 100);
  EXPECT_EQ(elastic_wake(cloud.fleet, at(101)), at(110));
  const Slot slot = *cloud.fleet.place("", "");
  cloud.fleet.occupy(slot);
  EXPECT_EQ(cloud.release(200), "");
  cloud.fleet.release(slot, at(200));
  EXPECT_EQ(cloud.release(209), "");
  EXPECT_EQ(cloud.release(210), "cloud-1: idle for 10s");
  cloud.see("cloud-1", HostState::unreachable, 211);
  EXPECT_EQ(cloud.fleet.find("cloud-1")->seen.state, HostState::releasing) << "late news";
  cloud.see("cloud-1", HostState::off, 212);
  EXPECT_EQ(cloud.launch(1, 213), Names{"cloud-1"});
}

TEST(Elastic, WhileOneIsConnectedToAgainItIsNotIdle) {
  Cloud cloud;
  cloud.launch(1, 0);
  cloud.see("cloud-1", HostState::up, 5);
  cloud.fleet.begin(spec_with(entry()), at(100));
  EXPECT_EQ(cloud.release(150), "");
  cloud.see("cloud-1", HostState::up, 150);
  EXPECT_EQ(cloud.release(159), "");
  EXPECT_EQ(cloud.release(160), "cloud-1: idle for 10s");
}

TEST(Elastic, OneWhereEverythingFailsGoesAtOnce) {
  Cloud cloud;
  cloud.launch(2, 0);
  cloud.see("cloud-1", HostState::up, 5);
  cloud.see("cloud-2", HostState::up, 5);
  for (int i = 0; i < 3; ++i) cloud.fleet.ended("cloud-2", false), cloud.fleet.ended("cloud-1", true);
  EXPECT_EQ(cloud.release(6), "cloud-1: 3 attempts in a row failed here while others succeed elsewhere");
}

TEST(Elastic, FailuresOfAMachineAreNotThoseOfTheNextInItsPlace) {
  Cloud cloud;
  cloud.launch(2, 0);
  cloud.see("cloud-1", HostState::up, 5);
  cloud.see("cloud-2", HostState::up, 5);
  for (int i = 0; i < 2; ++i) cloud.fleet.ended("cloud-2", false), cloud.fleet.ended("cloud-1", true);
  cloud.see("cloud-1", HostState::lost, 6, "timed out");
  cloud.release(6);
  cloud.see("cloud-1", HostState::off, 7);
  cloud.launch(1, 100);
  cloud.see("cloud-1", HostState::up, 105);
  cloud.fleet.ended("cloud-1", true);
  EXPECT_EQ(cloud.fleet.find("cloud-1")->benched, "");
}

TEST(Elastic, AMachineWhoseGpusComeLateIsNotGivenUp) {
  Fleet fleet;
  StudySpec spec = spec_with(entry());
  spec.trial.gpus = 1;
  fleet.begin(spec, at(0));
  fleet.order({"cloud-1", HostOrder::launch, ""}, at(0));
  fleet.see({"cloud-1", HostState::up, "no driver", 8, 0, {}, "10.0.0.1"}, at(5));
  EXPECT_NE(fleet.entry(*fleet.find("cloud-1")).given_up, "");
  Unit unit;
  unit.id = "GPU-1";
  fleet.see({"cloud-1", HostState::up, "", 8, 0, {unit}, "10.0.0.1"}, at(9));
  EXPECT_EQ(fleet.entry(*fleet.find("cloud-1")).given_up, "");
}

TEST(Elastic, ALostOneIsReleasedAtOnceAndWhatLayThereIsGone) {
  Cloud cloud;
  cloud.launch(1, 0);
  cloud.see("cloud-1", HostState::up, 5);
  cloud.see("cloud-1", HostState::lost, 50, "timed out");
  EXPECT_EQ(cloud.release(50), "cloud-1: lost: timed out");
  cloud.see("cloud-1", HostState::off, 51);
  cloud.launch(1, 60);
  EXPECT_TRUE(cloud.fleet.replaced("cloud-1", at(5)));
  EXPECT_FALSE(cloud.fleet.replaced("cloud-1", at(61)));
}

TEST(Elastic, AfterThreeRoundsOfFailedLaunchesNoMoreCome) {
  Cloud cloud;
  int now = 0;
  for (const int pause : {5, 60, 0}) {
    EXPECT_FALSE(cloud.fleet.hopeless());
    for (const std::string& host : cloud.launch(2, now)) {
      cloud.see(host, HostState::refused, now + 1, "no capacity");
      cloud.release(now + 1);
      cloud.see(host, HostState::off, now + 1);
    }
    EXPECT_EQ(cloud.launch(2, now + pause), Names{}) << "growing pauses";
    now += 1 + pause;
  }
  EXPECT_EQ(cloud.launch(2, now + 1000), Names{});
  EXPECT_TRUE(cloud.fleet.hopeless());
  EXPECT_EQ(cloud.fleet.why_not(*cloud.fleet.find("cloud-1")), "off: 3 launches in a row failed: no capacity");
}

TEST(Elastic, OneThatCanNotBeTakenDownIsLeftAlone) {
  Cloud cloud;
  cloud.launch(100, 0);
  cloud.see("cloud-1", HostState::up, 1);
  EXPECT_EQ(cloud.release(11), "cloud-1: idle for 10s");
  cloud.see("cloud-1", HostState::releasing, 12, "may still cost money");
  EXPECT_EQ(cloud.release(100), "");
  EXPECT_FALSE(cloud.fleet.may_launch(*cloud.fleet.find("cloud-1")));
}

TEST(Elastic, TheNextSessionFindsWhatTheLastOneLeft) {
  Cloud cloud;
  cloud.launch(100, 0);
  cloud.see("cloud-1", HostState::up, 1);
  cloud.see("cloud-2", HostState::launching, 1);
  const std::string fewer = R"([{"name": "cloud", "ssh": "{host}", "elastic": {"launch": ["up"], "release": ["down"], "max": 1}}])";
  cloud.fleet.begin(spec_with(fewer), at(100));
  EXPECT_EQ(cloud.fleet.find("cloud-1")->seen.state, HostState::connecting);
  EXPECT_EQ(cloud.release(100), "cloud-2: no longer in the space file");
  cloud.fleet.begin(spec_with(entry()), at(200));
  EXPECT_EQ(cloud.release(200), "cloud-2: lost: its release was interrupted");
  EXPECT_EQ(cloud.release(200), "cloud-3: lost: its launch was interrupted");
}

TEST(Elastic, AnInstanceCostsFromItsLaunchUntilItIsOff) {
  Study study;
  const StudySpec spec = spec_with(entry(R"(, "price_per_hour": 36)"));
  Seq seq = 0;
  const auto add = [&](int now, std::variant<Fact, Decision> body) { study.apply({++seq, at(now), std::move(body)}); };
  add(0, Fact(StudyCreated{"id", 1, "s", "/", spec.document}));
  add(0, Fact(SessionStarted{}));
  add(100, Decision(HostOrdered{"cloud-1", HostOrder::launch, ""}));
  EXPECT_DOUBLE_EQ(study.cost(at(150)), 0.5);
  add(200, Fact(HostSeen{"cloud-1", HostState::up, "", 2, 0, {}, "a"}));
  EXPECT_DOUBLE_EQ(study.fleet().price_of({"cloud-1", 0, {}, 1}), 0) << "its trials don't cost it again";
  add(300, Decision(HostOrdered{"cloud-1", HostOrder::release, ""}));
  add(400, Fact(HostSeen{"cloud-1", HostState::off, "", 0, 0, {}}));
  EXPECT_DOUBLE_EQ(study.cost(at(9000)), 3);
}

}  // namespace
}  // namespace hpsearch
