#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "trials/elastic.h"
#include "trials/event.h"
#include "trials/spec.h"

namespace hpsearch {

// A host of the session as last seen, and what our trials take of it.
struct FleetHost {
  HostSpec spec;
  HostSeen seen;
  bool leaving = false;                      // No longer in the space file: its trials end, none is started.
  int failures = 0, successes = 0;           // Attempts in a row that failed on the machine; all that did not.
  std::string benched;                       // Why no more trials are started there; empty: they are.
  std::set<int> indices, gaps;               // Slots taken, and those free below the highest of them.
  std::map<std::string, double> taken;       // Shares of units taken, by the unit's id.
  int capacity = 0;                          // Most trials that it can hold now.
  // Of an elastic host:
  Time launched_at{}, idle_since{};          // Its instance was ordered; has had no trials.
  bool proven = false;                       // Its instance has been up.
  bool stuck = false;                        // Its instance can't be taken down, and may still cost money.

  // An instance of it exists, or may.
  bool standing() const { return spec.elastic && seen.state != HostState::off; }
  // One that can be connected to, as far as is known.
  bool reachable() const {
    const bool given_up = seen.state == HostState::releasing || seen.state == HostState::lost || seen.state == HostState::refused;
    return standing() && !seen.address.empty() && !given_up;
  }
};

// Whether trials can use the unit, whoever does now.
bool serves(const Unit& unit, const TrialSpec& needs);

// Where trials can run: the hosts of a session in the order of the space file. A part of the study's fold; pure.
class Fleet {
 public:
  // A session begins with the hosts that `spec` names. Those that still hold trials of earlier sessions stay, leaving.
  // So do instances of elastic hosts, which may cost money.
  void begin(const StudySpec& spec, Time at = {});
  void see(const HostSeen& seen, Time at = {});
  void order(const HostOrdered& order, Time at);
  void occupy(const Slot& slot);
  void release(const Slot& slot, Time at = {});
  // How an attempt on a host ended, for the weak-host brake: a host where attempts fail one after the other while
  // others succeed gets no more of them until the next session.
  void ended(const std::string& host, bool failed);

  // So many trials wait for a unit of their own, where trials share units: as many are left to run empty for them.
  void keep_whole(std::size_t units);

  // A place for a trial: on `preferred` when it has room, else on the first host that has and is not `avoided`, else on
  // that one. GPU-less hosts come first for trials without GPUs. O(log hosts).
  // `outgrown`: where its GPUs' memory was too small for it. It gets whole units, others than those where there are any;
  // O(units).
  std::optional<Slot> place(const std::string& preferred, const std::string& avoided, const Slot* outgrown = nullptr) const;

  const std::vector<FleetHost>& hosts() const { return hosts_; }
  const FleetHost* find(const std::string& host) const;
  const ElasticEntry& entry(const FleetHost& instance) const { return entries_.at(instance.spec.entry); }
  bool elastic() const { return !entries_.empty(); }
  // Whether the machine that stood for the host then has since given way to another, as instances of elastic hosts do.
  bool replaced(const std::string& host, Time since) const;
  // An instance of this elastic host may be brought up, now or later.
  bool may_launch(const FleetHost& host) const;
  int capacity() const { return capacity_; } // Trials that all hosts together can hold now.
  double gpus_per_trial() const { return gpus_; }
  // GPUs of an attempt there, and its share of the host's price: that of its GPUs among all, or that of one slot. Instances of
  // elastic hosts cost the same with trials or none: Study::instances counts them.
  double gpus_of(const Slot& slot) const;
  double price_of(const Slot& slot) const;
  // No trial will ever start in this session: each host is refused, benched or too small.
  bool hopeless() const;
  // Why no trial starts on this host now: "GPU 0: 9.1 GB in use by pid 4242 of alice"; empty when one may.
  std::string why_not(const FleetHost& host) const;

 private:
  FleetHost* mutable_host(const std::string& host);
  void changed(FleetHost& host);
  void keep_instance(FleetHost& host, const FleetHost& old, Time at);
  void learn(FleetHost& host, HostState before, Time at);  // From what was last seen of an instance.
  void refresh();                            // Everything that depends on all hosts.
  void refresh(FleetHost& host);
  int rank(const FleetHost& host) const;     // Places with less are filled first.
  bool serves(const FleetHost& host) const;
  bool too_small(const FleetHost& host) const;
  bool fits(const Unit& unit) const;
  bool has_units(const FleetHost& host, const Slot* outgrown = nullptr) const;
  double most_on(const Unit& unit) const;
  void choose_kept();
  bool kept(const FleetHost& host, const Unit& unit) const { return kept_.contains({host.spec.name, unit.id}); }
  std::set<int> room_for(const Slot& outgrown) const;
  std::vector<const Unit*> free_units(const FleetHost& host, bool alone) const;
  std::vector<std::string> pick_units(const FleetHost& host, const Slot* outgrown = nullptr) const;

  TrialSpec needs_;
  double gpus_ = 0;                          // A trial's: the spec's, or what "auto" comes to.
  std::vector<FleetHost> hosts_;
  std::map<std::string, int> index_;
  std::map<std::string, ElasticEntry> entries_;  // By name.
  std::set<int> with_room_;                  // Places in hosts_, GPU-less hosts first where trials take no GPU.
  std::size_t wholes_ = 0;                   // Units to be left to run empty,
  std::set<std::pair<std::string, std::string>> kept_;  // and which: host and unit.
  int capacity_ = 0, connecting_ = 0, successes_ = 0;
};

}  // namespace hpsearch
