#include "scheduler/hosts/device_pool.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <random>
#include <utility>

#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

// The lower, the earlier; no two are the same.
std::int64_t new_ticket(Span now) {
  constexpr int kChance = 1 << 20;
  static std::minstd_rand random{std::random_device{}()};
  return now.count() * kChance + std::uniform_int_distribution<int>(0, kChance - 1)(random);
}

}  // namespace

DevicePool::DevicePool(boost::asio::io_context& io, DeviceOptions options, std::unique_ptr<Nvml> nvml, Changed changed,
                       Contended contended)
    : io_(io),
      options_(std::move(options)),
      changed_(std::move(changed)),
      contended_(std::move(contended)),
      self_(std::make_shared<DevicePool*>(this)),
      timer_(io),
      news_(options_.times.figures) {
  if (!nvml) {
    later(&DevicePool::report);
    return;
  }
  watch_ = std::make_unique<GpuWatch>(std::move(nvml), [&io, self = std::weak_ptr(self_)] {
    boost::asio::post(io, [self] {
      if (const auto pool = self.lock()) (*pool)->read_news();
    });
  });
  later(&DevicePool::tick);
}

DevicePool::~DevicePool() = default;

void DevicePool::later(void (DevicePool::*what)()) {
  boost::asio::post(io_, [what, self = std::weak_ptr(self_)] {
    if (const auto pool = self.lock()) ((*pool)->*what)();
  });
}

// ---- Looking -----------------------------------------------------------------------------------------------------

void DevicePool::tick() {
  watch_->ask();
  if (watch_->silent() > options_.times.silence) {
    blind("the driver does not answer");
    serve();
    report();
  }
  timer_.expires_after(options_.times.sample);
  timer_.async_wait([self = std::weak_ptr(self_)](const auto& error) {
    if (const auto pool = self.lock(); pool && !error) (*pool)->tick();
  });
}

void DevicePool::read_news() {
  const auto news = watch_->latest();
  if (!news || news->number == last_) return;
  last_ = news->number;
  if (news->readings.fault.empty()) look_at(news->readings.units);
  else blind(news->readings.fault);
  watch_contention();
  serve();
  report();
}

void DevicePool::look_at(const std::vector<GpuReading>& readings) {
  const Span now = steady_now();
  if (!first_look_) first_look_ = now;
  if (!allowed_) allowed_ = allowed_gpus(options_.allowance, readings);
  fault_.clear();
  const UnitDemand demand = this->demand(now);
  std::set<std::string> listed;
  std::map<int, std::string> lost;           // GPUs that don't even tell their UUID.
  for (const GpuReading& reading : readings) {
    if (reading.uuid.empty()) lost[reading.index] = reading.fault;
    else unit(reading.uuid).look(reading, last_, now, demand);
    listed.insert(reading.uuid);
  }
  for (const auto& unit : units_)
    if (!listed.contains(unit->uuid()))
      unit->blind(lost.contains(unit->unit().index) ? lost[unit->unit().index] : "the driver no longer lists it", now);
}

void DevicePool::blind(const std::string& fault) {
  fault_ = fault;
  for (const auto& unit : units_) unit->blind(fault, steady_now());
}

// What a limit allows is settled once, by the first reading: an index may mean another GPU later.
bool DevicePool::allows(const std::string& uuid) const {
  if (!options_.allowance.limits()) return true;
  return allowed_ && std::find(allowed_->uuids.begin(), allowed_->uuids.end(), uuid) != allowed_->uuids.end();
}

PoolUnit& DevicePool::unit(const std::string& uuid) {
  PoolUnit* known = find(uuid);
  if (!known) {
    const auto ask = [this] { return watch_ ? watch_->ask() : 0; };
    known = units_.emplace_back(std::make_unique<PoolUnit>(uuid, options_, ask)).get();
  }
  known->offer(allows(uuid));
  return *known;
}

PoolUnit* DevicePool::find(const std::string& uuid) const {
  const auto found = std::find_if(units_.begin(), units_.end(), [&](const auto& unit) { return unit->uuid() == uuid; });
  return found == units_.end() ? nullptr : found->get();
}

bool DevicePool::complete() const {
  return std::count_if(units_.begin(), units_.end(), [](const auto& unit) { return unit->in_hand(); }) >= options_.units;
}

// Enough of them are in hand or will be. What is not known yet may be.
bool DevicePool::promising() const {
  const auto promising = [](const auto& unit) { return unit->promising(); };
  return units_.empty() || std::count_if(units_.begin(), units_.end(), promising) >= options_.units;
}

// A trial of several units takes its place among those of other studies when the first of them is wanted.
UnitDemand DevicePool::demand(Span now) {
  UnitDemand demand;
  demand.any = !starts_.empty() || !options_.hungry || options_.hungry();
  demand.complete = complete();
  demand.promising = promising();
  if (demand.promising) hopeless_since_.reset();
  else if (!hopeless_since_) hopeless_since_ = now;
  demand.given_up = hopeless_since_ && now - *hopeless_since_ > options_.times.collecting;
  if (options_.units == 1 || !demand.any) ticket_.reset();
  else if (!ticket_) ticket_ = new_ticket(now);
  demand.ticket = ticket_;
  return demand;
}

// ---- Telling -----------------------------------------------------------------------------------------------------

void DevicePool::report() {
  const Span now = steady_now();
  const bool looked = !watch_ || first_look_ || !fault_.empty();
  const bool late = first_look_ && now - *first_look_ >= 3 * options_.times.sample;
  if (!told_ && (!looked || !(settled() || late))) return;
  told_ = true;
  const SeenDevices seen = seen_now();
  if (news_.worth(seen, now)) changed_(seen);
}

bool DevicePool::settled() const {
  return std::all_of(units_.begin(), units_.end(), [](const auto& unit) { return unit->settled() || !unit->offered(); });
}

SeenDevices DevicePool::seen_now() const {
  SeenDevices seen;
  for (const auto& unit : units_)
    if (unit->offered()) seen.units.push_back(unit->unit());
  std::stable_sort(seen.units.begin(), seen.units.end(), [](const Unit& a, const Unit& b) { return a.index < b.index; });
  if (allowed_) seen.remark = allowed_->remark;
  if (seen.units.empty()) seen.fault = !fault_.empty() || !allowed_ ? fault_ : allowed_->fault;
  seen.refused = fault_.empty() && !seen.fault.empty();
  return seen;
}

void DevicePool::watch_contention() {
  for (const auto& unit : units_) {
    if (unit->foreign().empty()) continue;
    const std::string text = "GPU " + std::to_string(unit->unit().index) + " is in use by " + unit->foreign() + " too";
    for (const std::string& attempt : unit->trials())
      if (contended_attempts_.insert(attempt).second) contended_(attempt, text);
  }
}

// ---- Trials ------------------------------------------------------------------------------------------------------

void DevicePool::acquire(std::vector<std::string> uuids, Done done, bool alone) {
  starts_.push_back({std::move(uuids), std::move(done), alone, steady_now(), watch_ ? watch_->ask() : 0});
  want();
  later(&DevicePool::serve);
}

void DevicePool::want() {
  for (const auto& unit : units_) {
    bool wanted = false, alone = false;
    for (const Start& start : starts_) {
      if (std::find(start.uuids.begin(), start.uuids.end(), unit->uuid()) == start.uuids.end()) continue;
      wanted = true;
      alone |= start.alone;
    }
    unit->want(wanted, alone);
  }
}

// `done` may do anything that this class offers: each start is out of the list before it is answered.
void DevicePool::serve() {
  for (;;) {
    const auto answerable =
        std::find_if(starts_.begin(), starts_.end(), [this](const Start& start) { return ready(start) || hopeless(start); });
    if (answerable == starts_.end()) break;
    Start start = std::move(*answerable);
    starts_.erase(answerable);
    if (ready(start)) hand_over(start);
    else start.done({}, hindrance(start));
  }
  want();
}

bool DevicePool::ready(const Start& start) const {
  return std::all_of(start.uuids.begin(), start.uuids.end(), [&](const std::string& uuid) {
    const PoolUnit* unit = find(uuid);
    return unit && unit->ready(start.proof, start.alone);
  });
}

bool DevicePool::hopeless(const Start& start) const {
  if (steady_now() - start.since > options_.times.teardown) return true;
  return std::any_of(start.uuids.begin(), start.uuids.end(), [&](const std::string& uuid) {
    const PoolUnit* unit = find(uuid);
    return !unit || !unit->offered();
  });
}

std::string DevicePool::hindrance(const Start& start) const {
  for (const std::string& uuid : start.uuids) {
    const PoolUnit* unit = find(uuid);
    if (!unit || !unit->offered()) return uuid + " is no GPU that this study may use here";
    if (!unit->ready(start.proof, start.alone)) return "GPU " + std::to_string(unit->unit().index) + " is no longer free: " + unit->hindrance();
  }
  return "";
}

void DevicePool::hand_over(Start& start) {
  std::vector<FileDescriptor> locks;
  ticket_.reset();                           // The next trial takes its own place.
  for (const std::string& uuid : start.uuids) locks.push_back(find(uuid)->grant(start.alone));
  const bool complete = std::all_of(locks.begin(), locks.end(), [](const FileDescriptor& lock) { return lock.open(); });
  if (complete) start.done(std::move(locks), "");
  else start.done({}, "its units' locks can't be handed over: too many open files");
  for (const std::string& uuid : start.uuids) find(uuid)->take_back(steady_now());
}

void DevicePool::running(const std::vector<std::string>& uuids, const std::string& attempt) {
  for (const std::string& uuid : uuids) unit(uuid).run(attempt);
}

void DevicePool::ended(const std::string& attempt) {
  for (const auto& unit : units_) unit->end(attempt, steady_now());
  contended_attempts_.erase(attempt);
  report();
}

}  // namespace hpsearch
