#include "trials/fleet.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr int kWeakAfter = 3;                // Failures in a row.
constexpr const char* kTooSmall = "too few GPUs, cores or memory for one trial";
constexpr double kRounding = 1e-9;           // Three thirds are one.

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool has_all(const std::vector<std::string>& labels, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  });
}

// Slurm itself finds room for a trial: only the number of jobs is limited.
bool places_itself(const FleetHost& host) { return host.spec.kind == HostKind::slurm; }

int most_in_jobs(const HostSpec& spec) {
  const SlurmSpec& slurm = spec.slurm;
  return slurm.pilot ? slurm.max_jobs * spec.slots.value_or(1) : std::min(slurm.max_jobs, spec.slots.value_or(slurm.max_jobs));
}

// What is left of the unit for trials of ours.
double left(const FleetHost& host, const Unit& unit) {
  const auto taken = host.taken.find(unit.id);
  return unit.free - (taken == host.taken.end() ? 0 : taken->second);
}

// News that were on their way when the instance was given up. Only an order leads out of `off`.
bool too_late(const FleetHost& host, const HostSeen& seen) {
  if (host.seen.state == HostState::off) return host.spec.elastic.has_value();
  return host.seen.state == HostState::releasing && seen.state != HostState::releasing && seen.state != HostState::off;
}

int whole(double number) { return static_cast<int>(std::floor(number + kRounding)); }

}  // namespace

bool serves(const Unit& unit, const TrialSpec& needs) {
  if (needs.gpu_memory && unit.memory < *needs.gpu_memory) return false;
  return needs.gpu_model.empty() || lower(unit.model).find(lower(needs.gpu_model)) != std::string::npos;
}

void Fleet::begin(const StudySpec& spec, Time at) {
  std::vector<FleetHost> before = std::move(hosts_);
  needs_ = spec.trial;
  hosts_.clear();
  for (HostSpec& host : session_hosts(spec)) {
    const HostState state = host.elastic ? HostState::off : HostState::connecting;
    const std::string name = host.name;
    hosts_.push_back({std::move(host), {name, state, "", 0, 0, {}}, false, 0, 0, "", {}, {}, {}, 0});
  }
  for (FleetHost& old : before) {
    const auto same = std::find_if(hosts_.begin(), hosts_.end(), [&](const FleetHost& h) { return h.spec.name == old.spec.name; });
    if (same != hosts_.end()) {
      same->indices = old.indices;
      same->gaps = old.gaps;
      same->taken = old.taken;
      if (same->spec.elastic && old.standing()) keep_instance(*same, old, at);
    } else if (!old.indices.empty() || old.standing()) {
      old.leaving = true;
      if (old.standing()) keep_instance(old, old, at);
      else old.seen.state = HostState::connecting;
      hosts_.push_back(std::move(old));
    }
  }
  for (const FleetHost& host : hosts_) {
    if (!host.spec.elastic) continue;
    const int learnt = entries_[host.spec.entry].slots;
    entries_[host.spec.entry] = {host.spec.slots.value_or(learnt), 0, {}, {}, ""};
  }
  index_.clear();
  for (std::size_t i = 0; i < hosts_.size(); ++i) index_[hosts_[i].spec.name] = static_cast<int>(i);
  successes_ = 0;
  refresh();
}

// One that is known by its address is connected to again. The others are as good as lost: they are taken down by their name.
void Fleet::keep_instance(FleetHost& host, const FleetHost& old, Time at) {
  const char* const cut_off = old.seen.state == HostState::releasing ? "its release was interrupted" : "its launch was interrupted";
  const bool reachable = old.reachable();    // `host` may be it.
  host.seen = old.seen;
  host.seen.state = reachable ? HostState::connecting : HostState::lost;
  if (!reachable && host.seen.reason.empty()) host.seen.reason = cut_off;
  host.launched_at = old.launched_at;
  host.idle_since = at;
  host.proven = old.proven;
  host.stuck = false;
}

void Fleet::see(const HostSeen& seen, Time at) {
  FleetHost* host = mutable_host(seen.host);
  if (!host || too_late(*host, seen)) return;
  std::vector<Unit> units = std::move(host->seen.units);
  const HostState before = host->seen.state;
  host->seen = seen;
  if (seen.state != HostState::up && seen.units.empty()) host->seen.units = std::move(units);  // It still has them.
  refresh();
  if (host->spec.elastic) learn(*host, before, at);
}

void Fleet::learn(FleetHost& host, HostState before, Time at) {
  ElasticEntry& entry = entries_[host.spec.entry];
  const HostState state = host.seen.state;
  if (state == HostState::up) {
    if (before == HostState::connecting || before == HostState::launching) host.idle_since = at;
    host.proven = true;
    entry.failures = 0;
    if (host.capacity > 0) entry.slots = host.spec.slots.value_or(host.capacity);
    const std::string unfit = "its instances have " + std::string(kTooSmall);
    if (too_small(host) && entry.given_up.empty()) entry.given_up = unfit;
    else if (!too_small(host) && entry.given_up == unfit) entry.given_up.clear();  // Its GPUs came later than it did.
  }
  if (!host.proven && (state == HostState::lost || state == HostState::refused)) entry.failed(host.launched_at, at, host.seen.reason);
  host.stuck = state == HostState::releasing && !host.seen.reason.empty();
}

void Fleet::order(const HostOrdered& order, Time at) {
  FleetHost* host = mutable_host(order.host);
  if (!host) return;
  const bool launch = order.order == HostOrder::launch;
  host->seen.state = launch ? HostState::launching : HostState::releasing;
  host->seen.reason.clear();
  if (launch) host->seen.address.clear(), host->launched_at = at, host->proven = false, host->failures = 0;
  refresh();
}

void Fleet::occupy(const Slot& slot) {
  FleetHost* host = mutable_host(slot.host);
  if (!host) return;
  host->indices.insert(slot.index);
  host->gaps.erase(slot.index);
  for (const std::string& device : slot.devices) host->taken[device] += slot.share;
  changed(*host);
}

void Fleet::release(const Slot& slot, Time at) {
  FleetHost* host = mutable_host(slot.host);
  if (!host) return;
  if (host->indices.erase(slot.index) > 0) host->gaps.insert(slot.index);
  host->idle_since = at;
  for (const std::string& device : slot.devices)
    if (auto taken = host->taken.find(device); taken != host->taken.end() && (taken->second -= slot.share) < kRounding)
      host->taken.erase(taken);
  changed(*host);
}

void Fleet::ended(const std::string& name, bool failed) {
  FleetHost* host = mutable_host(name);
  if (!host) return;
  if (!failed) ++successes_, ++host->successes;
  host->failures = failed ? host->failures + 1 : 0;
  const bool others = std::any_of(hosts_.begin(), hosts_.end(), [&](const FleetHost& other) {
    return &other != host && serves(other);
  });
  if (host->failures >= kWeakAfter && others && successes_ > host->successes && host->benched.empty())
    host->benched = std::to_string(host->failures) + " attempts in a row failed here while others succeed elsewhere";
  changed(*host);
}

const FleetHost* Fleet::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &hosts_[found->second];
}

FleetHost* Fleet::mutable_host(const std::string& name) { return const_cast<FleetHost*>(find(name)); }

// ---- Room --------------------------------------------------------------------------------------------------------

void Fleet::changed(FleetHost& host) {
  if (wholes_ > 0) refresh();                // Units kept for trials of their own are chosen among those of all hosts.
  else refresh(host);
}

void Fleet::refresh() {
  const bool any_gpu = std::any_of(hosts_.begin(), hosts_.end(), [](const FleetHost& host) { return !host.seen.units.empty(); });
  gpus_ = needs_.gpus.value_or(any_gpu ? 1 : 0);
  connecting_ = static_cast<int>(std::count_if(hosts_.begin(), hosts_.end(), [](const FleetHost& host) {
    return host.seen.state == HostState::connecting && !host.leaving;
  }));
  with_room_.clear();
  capacity_ = 0;
  for (FleetHost& host : hosts_) host.capacity = 0;
  choose_kept();
  for (FleetHost& host : hosts_) refresh(host);
}

void Fleet::refresh(FleetHost& host) {
  capacity_ -= host.capacity;
  host.capacity = 0;
  if (serves(host) && places_itself(host)) {
    host.capacity = most_in_jobs(host.spec);
  } else if (serves(host)) {
    double most = host.spec.slots.value_or(1'000'000);
    if (gpus_ > 0) {
      double fitting = 0;
      for (const Unit& unit : host.seen.units)
        if (unit.busy.empty() || host.taken.contains(unit.id)) fitting += most_on(unit);
      most = std::min(most, gpus_ < 1 ? fitting : std::floor(fitting / gpus_));
    }
    const bool by_cores = gpus_ > 0 ? needs_.cpus.has_value() : !host.spec.slots;
    if (by_cores && host.seen.cores > 0) most = std::min<double>(most, whole(host.seen.cores / needs_.cpus.value_or(1)));
    if (by_cores && gpus_ == 0 && !needs_.cpus) most = std::max(most, 1.0);
    if (needs_.memory && host.seen.memory > 0) most = std::min<double>(most, static_cast<double>(host.seen.memory / *needs_.memory));
    host.capacity = whole(most);
  }
  capacity_ += host.capacity;
  const int taken = static_cast<int>(host.indices.size());
  if (taken < host.capacity && has_units(host)) with_room_.insert(rank(host));
  else with_room_.erase(rank(host));
}

// Trials that fit on it; of those that take several units, whether it can be one of them.
double Fleet::most_on(const Unit& unit) const {
  if (!fits(unit)) return 0;
  return gpus_ < 1 ? whole(unit.free / gpus_) : whole(unit.free);
}

// The devices for one more trial, where it needs any and they are ours to choose.
bool Fleet::has_units(const FleetHost& host, const Slot* outgrown) const {
  return gpus_ == 0 || places_itself(host) || !pick_units(host, outgrown).empty();
}

// The emptiest: trials end there, and none is started but those that need all of it.
void Fleet::choose_kept() {
  kept_.clear();
  if (wholes_ == 0 || gpus_ == 0 || gpus_ >= 1) return;
  std::vector<std::pair<double, std::pair<std::string, std::string>>> units;
  for (const FleetHost& host : hosts_)
    for (const Unit& unit : host.seen.units)
      if (serves(host) && !places_itself(host) && fits(unit) && unit.busy.empty()) units.push_back({-left(host, unit), {host.spec.name, unit.id}});
  std::stable_sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.first + kRounding < b.first; });
  for (std::size_t i = 0; i < std::min(wholes_, units.size()); ++i) kept_.insert(units[i].second);
}

std::set<int> Fleet::room_for(const Slot& outgrown) const {
  std::set<int> room;
  for (const FleetHost& host : hosts_)
    if (static_cast<int>(host.indices.size()) < host.capacity && has_units(host, &outgrown)) room.insert(rank(host));
  return room;
}

int Fleet::rank(const FleetHost& host) const {
  const int place = static_cast<int>(&host - hosts_.data());
  return gpus_ == 0 && !host.seen.units.empty() ? place + static_cast<int>(hosts_.size()) : place;
}

bool Fleet::serves(const FleetHost& host) const {
  return host.seen.state == HostState::up && !host.leaving && host.benched.empty() && has_all(host.spec.labels, needs_.labels);
}

bool Fleet::fits(const Unit& unit) const { return hpsearch::serves(unit, needs_); }

std::vector<const Unit*> Fleet::free_units(const FleetHost& host, bool alone) const {
  const double share = alone ? 1 : std::min(gpus_, 1.0);
  std::vector<const Unit*> free;
  for (const Unit& unit : host.seen.units)
    if (fits(unit) && unit.busy.empty() && left(host, unit) + kRounding >= share && (alone || !kept(host, unit))) free.push_back(&unit);
  return free;
}

// As many units as a trial takes, all from the smallest group that has enough of them, else from all; none: too few.
std::vector<std::string> Fleet::pick_units(const FleetHost& host, const Slot* outgrown) const {
  const auto wanted = static_cast<std::size_t>(std::ceil(gpus_));
  std::vector<const Unit*> free = free_units(host, outgrown != nullptr);
  if (outgrown && outgrown->host == host.spec.name) {
    std::vector<const Unit*> others = free;
    std::erase_if(others, [&](const Unit* unit) { return std::count(outgrown->devices.begin(), outgrown->devices.end(), unit->id) > 0; });
    if (others.size() >= wanted) free = std::move(others);
  }
  if (free.size() < wanted) return {};
  std::map<int, std::size_t> in_group;
  for (const Unit* unit : free) ++in_group[unit->group];
  std::optional<int> best;
  for (const auto& [group, size] : in_group)
    if (size >= wanted && (!best || size < in_group[*best])) best = group;
  std::vector<std::string> picked;
  // Parts of units that are in use already come first: whole ones stay free for others.
  std::stable_sort(free.begin(), free.end(), [&](const Unit* a, const Unit* b) {
    return host.taken.contains(a->id) > host.taken.contains(b->id);
  });
  for (const Unit* unit : free)
    if ((!best || unit->group == *best) && picked.size() < wanted) picked.push_back(unit->id);
  return picked;
}

void Fleet::keep_whole(std::size_t units) {
  if (units == wholes_) return;
  wholes_ = units;
  refresh();
}

std::optional<Slot> Fleet::place(const std::string& preferred, const std::string& avoided, const Slot* outgrown) const {
  const std::set<int> own = outgrown ? room_for(*outgrown) : std::set<int>();
  const std::set<int>& room = outgrown ? own : with_room_;
  // What "auto" comes to is not known before every host has answered.
  if (room.empty() || (!needs_.gpus && connecting_ > 0)) return std::nullopt;
  const auto host_at = [&](int rank) -> const FleetHost& { return hosts_[rank % static_cast<int>(hosts_.size())]; };
  const FleetHost* chosen = find(preferred);
  if (!chosen || !room.contains(rank(*chosen))) {
    auto first = room.begin();
    if (host_at(*first).spec.name == avoided && room.size() > 1) ++first;
    chosen = &host_at(*first);
  }
  Slot slot{chosen->spec.name, 0, {}, 1};
  if (!chosen->gaps.empty()) slot.index = *chosen->gaps.begin();
  else if (!chosen->indices.empty()) slot.index = *chosen->indices.rbegin() + 1;
  if (gpus_ > 0 && !places_itself(*chosen)) {
    slot.devices = pick_units(*chosen, outgrown);
    slot.share = outgrown ? 1 : std::min(gpus_, 1.0);
  }
  return slot;
}

// Even with nothing else on it.
bool Fleet::too_small(const FleetHost& host) const {
  if (!has_all(host.spec.labels, needs_.labels)) return true;
  if (places_itself(host)) return false;
  if (needs_.memory && host.seen.memory > 0 && host.seen.memory < *needs_.memory) return true;
  if (needs_.cpus && host.seen.cores > 0 && !(gpus_ == 0 && host.spec.slots) && host.seen.cores + kRounding < *needs_.cpus) return true;
  const auto fitting = std::count_if(host.seen.units.begin(), host.seen.units.end(), [&](const Unit& unit) { return fits(unit); });
  return static_cast<double>(fitting) < std::ceil(gpus_);
}

bool Fleet::replaced(const std::string& name, Time since) const {
  const FleetHost* host = find(name);
  return host && host->spec.elastic && since < host->launched_at;
}

bool Fleet::may_launch(const FleetHost& host) const {
  return host.spec.elastic && !host.leaving && !host.stuck && host.benched.empty() && entry(host).given_up.empty() &&
         has_all(host.spec.labels, needs_.labels);
}

bool Fleet::hopeless() const {
  return std::all_of(hosts_.begin(), hosts_.end(), [&](const FleetHost& host) {
    if (may_launch(host)) return false;
    if (host.seen.state == HostState::off || host.seen.state == HostState::releasing) return true;
    if (host.leaving || !host.benched.empty() || host.seen.state == HostState::refused || host.seen.state == HostState::lost)
      return true;
    return host.seen.state == HostState::up && too_small(host);
  });
}

double Fleet::gpus_of(const Slot& slot) const {
  const FleetHost* host = find(slot.host);
  if (host && host->spec.kind == HostKind::slurm) return needs_.gpus.value_or(0);
  return static_cast<double>(slot.devices.size()) * slot.share;
}

double Fleet::price_of(const Slot& slot) const {
  const FleetHost* host = find(slot.host);
  if (!host || !host->spec.price_per_hour || host->spec.elastic) return 0;
  if (host->spec.kind == HostKind::slurm) return *host->spec.price_per_hour;
  if (!slot.devices.empty()) return *host->spec.price_per_hour * gpus_of(slot) / static_cast<double>(std::max<std::size_t>(1, host->seen.units.size()));
  return *host->spec.price_per_hour / std::max(1, host->capacity);
}

std::string Fleet::why_not(const FleetHost& host) const {
  if (host.seen.state == HostState::off && !entry(host).given_up.empty()) return "off: " + entry(host).given_up;
  if (host.seen.state != HostState::up) return to_string(host.seen.state) + (host.seen.reason.empty() ? "" : ": " + host.seen.reason);
  if (host.leaving) return "no longer in the space file";
  if (!host.benched.empty()) return host.benched;
  if (!has_all(host.spec.labels, needs_.labels)) return "lacks a label that trials need";
  if (places_itself(host)) return static_cast<int>(host.indices.size()) < host.capacity ? "" : "full";
  if (gpus_ > 0 && host.seen.units.empty()) return "has no GPU" + (host.seen.reason.empty() ? "" : ": " + host.seen.reason);
  if (gpus_ > 0 && std::none_of(host.seen.units.begin(), host.seen.units.end(), [&](const Unit& unit) { return fits(unit); }))
    return "has no GPU of the model or memory that trials need";
  if (static_cast<int>(host.indices.size()) < host.capacity && has_units(host)) return "";
  if (too_small(host)) return kTooSmall;
  for (const Unit& unit : host.seen.units)
    if (gpus_ > 0 && !unit.busy.empty()) return "GPU " + std::to_string(unit.index) + ": " + unit.busy;
  for (const Unit& unit : host.seen.units)
    if (kept(host, unit)) return "GPU " + std::to_string(unit.index) + " is kept for a trial that needs all of its memory";
  return "full";
}

}  // namespace hpsearch
