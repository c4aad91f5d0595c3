#include "scheduler/hosts/pool_unit.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "scheduler/hosts/foreign_programs.h"
#include "scheduler/hosts/gpu_texts.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

constexpr double kRounding = 1e-9;           // Three thirds are one.

}  // namespace

PoolUnit::PoolUnit(std::string uuid, const DeviceOptions& options, Ask ask)
    : uuid_(std::move(uuid)), options_(options), ask_(std::move(ask)), turns_(uuid_, options.times) {}

// Trials of ours that fit on it. A GPU in exclusive mode runs one program.
int PoolUnit::most() const {
  return reading_.mode == ComputeMode::exclusive ? 1 : static_cast<int>(std::floor(1 / options_.share + kRounding));
}

// Of it, that the next share in hand has to be.
double PoolUnit::share() const { return alone_ || reading_.mode == ComputeMode::exclusive ? 1 : options_.share; }

// By us, whoever does so now.
bool PoolUnit::usable() const {
  return offered_ && fits() && reading_.fault.empty() && reading_.mode != ComputeMode::prohibited;
}

bool PoolUnit::promising() const {
  if (!usable() || reading_.uuid.empty() || retest_at_ || !lock_fault_.empty()) return false;
  return !shares_.empty() || (holders_.empty() ? reason_.empty() : foreign_.empty());
}

int PoolUnit::count(Stage stage) const {
  return static_cast<int>(std::count_if(shares_.begin(), shares_.end(), [&](const Share& share) { return share.stage == stage; }));
}

std::set<std::string> PoolUnit::attempts(bool running) const {
  std::set<std::string> attempts;
  for (const Share& share : shares_)
    if (!share.attempt.empty() && (share.stage == Stage::used || !running)) attempts.insert(share.attempt);
  return attempts;
}

// ---- What a reading does -----------------------------------------------------------------------------------------

void PoolUnit::look(const GpuReading& reading, std::uint64_t number, Span now, const UnitDemand& demand) {
  demand_ = demand;
  reading_ = reading;
  number_ = number;
  try {
    note(now);
    for (Share& share : shares_) settle(share, now);
    let_go_idle(now);
    std::erase_if(shares_, [](const Share& share) { return share.over; });
    if (count(Stage::cooling) == 0) retest_at_.reset();
    fit_shares(now);
    away_ = turns_.away(now, for_others());
    left_ = left_to_others(now);
    lock_fault_.clear();
    take(now);
    queue();
  } catch (const std::system_error& fault) {
    lock_fault_ = std::string("can't be locked: ") + fault.what();
  }
  tell();
}

void PoolUnit::blind(const std::string& fault, Span now) {
  if (reading_.uuid.empty()) return;
  GpuReading nothing = reading_;
  nothing.fault = fault;
  look(nothing, number_, now, demand_);
}

void PoolUnit::note(Span now) {
  holders_ = others();
  std::set<std::string> users;
  for (const UnitHolder& holder : holders_) users.insert(holder.name.user);
  foreign_ = foreign_programs(reading_.pids, attempts(false), users);
  const bool alone = !std::exchange(company_, company());
  reason_ = reason();
  if (alone == company_) free_since_.reset();  // Another rule from now on.
  if (!reason_.empty()) free_since_.reset();
  else if (!free_since_) free_since_ = now;
}

// Ours are known by their place, or, where a keeper has the lock, by the attempt.
std::vector<UnitHolder> PoolUnit::others() const {
  std::vector<UnitHolder> holders = unit_holders(uuid_);
  const std::set<std::string> ours = attempts(false);
  std::erase_if(holders, [&](const UnitHolder& holder) {
    return ours.contains(holder.name.attempt) || std::any_of(shares_.begin(), shares_.end(), [&](const Share& share) {
      return share.lock.file.open() && share.lock.first == holder.first;
    });
  });
  return holders;
}

bool PoolUnit::company() const {
  const auto runs = [](const UnitHolder& holder) { return holder.name.attempt != "-"; };
  return count(Stage::used) > 0 || std::any_of(holders_.begin(), holders_.end(), runs);
}

std::string PoolUnit::reason() const {
  if (!company_ || !reading_.fault.empty() || reading_.mode == ComputeMode::prohibited) return busy_reason(reading_, options_.rule);
  return foreign_.empty() ? "" : "in use by " + foreign_;
}

void PoolUnit::settle(Share& share, Span now) {
  switch (share.stage) {
    case Stage::used: return;
    case Stage::cooling: return cool(share, now);
    case Stage::proving:
      if (reason_.empty() && number_ < share.proof) return;
      share.stage = Stage::in_hand;
      share.since = now;
      [[fallthrough]];
    case Stage::in_hand: share.over = !reason_.empty() || !still_held(share.lock, uuid_); return;
  }
}

// After a trial: in hand once its memory has fallen; memory that does not fall is nobody's to use.
void PoolUnit::cool(Share& share, Span now) {
  if (!reading_.fault.empty() || number_ < share.proof || !relock(share, now)) return;
  if (!foreign_.empty() && !reason_.empty()) {
    share.over = true;
  } else if (retest_at_ && now < *retest_at_) {
    return;
  } else if (reason_.empty()) {
    share.stage = Stage::in_hand;
    share.since = now;
    share.attempt.clear();
    if (share.leaving) let_go(share, now, false);
  } else if (retest_at_ || now - share.since > options_.times.teardown) {
    retest_at_ = now + options_.times.retest;
    quarantine_ = memory_text(reading_.memory_used) + " still in use " + format_span_ms(options_.times.teardown.count()) +
                  " after its trial ended (quarantine)";
  }
}

std::optional<UnitLock> PoolUnit::lock() const { return lock_unit(uuid_, share()); }

// The lock of a trial that an earlier scheduler started becomes free when its keeper has gone.
bool PoolUnit::relock(Share& share, Span now) {
  if (share.lock.file.open()) return true;
  if (auto lock = offered_ ? this->lock() : std::nullopt) {
    share.lock = std::move(*lock);
    name(share);
    return true;
  }
  share.over = !offered_ || !holders_.empty() || now - share.since > options_.times.teardown;
  return false;
}

void PoolUnit::let_go(Share& share, Span now, bool idle) {
  share.over = true;
  turns_.let_go(now, idle);
}

// What is collected for a trial of several units is kept until it is complete, for whoever collects and came first, or until it
// is clear that it won't be.
void PoolUnit::let_go_idle(Span now) {
  for (Share& share : shares_) {
    if (share.stage != Stage::in_hand || share.over || wanted_) continue;
    if (demand_.ticket && !demand_.complete && turns_.reserved(demand_.ticket)) {
      share.over = true;                     // Left to that one, and not for a time only.
      continue;
    }
    const bool idle = !demand_.any || (demand_.complete && now - share.since > options_.times.idle) || demand_.given_up;
    if (idle && turns_.may_let_go(now) && turns_.awaited()) let_go(share, now, true);
  }
}

// A trial that waits for all of the unit gets one lock of it; what comes back from such a one is a share again.
void PoolUnit::fit_shares(Span now) {
  if (!alone_ || complete()) {
    for (Share& share : shares_)
      if (share.stage == Stage::in_hand) narrow(share.lock, this->share());
    return;
  }
  if (shares_.empty() || count(Stage::in_hand) < static_cast<int>(shares_.size())) return;
  shares_.resize(1);
  Share& share = shares_.front();
  if (!widen(share.lock)) return;
  share.stage = Stage::proving;
  share.since = now;
  name(share);
  share.proof = ask_();
}

// Who waits for all of it gets that only when our other parts come free too; and once we are back and collect, nobody gets any.
Span PoolUnit::for_others() const {
  if (!shares_.empty()) return options_.times.collecting;
  return demand_.ticket ? options_.times.courtesy : Span(0);
}

// All of it is in hand.
bool PoolUnit::complete() const {
  return std::any_of(shares_.begin(), shares_.end(), [](const Share& share) {
    return share.stage == Stage::in_hand && share.lock.parts == kUnitParts;
  });
}

// Who has reserved it and does not take it is ill or suspended.
bool PoolUnit::left_to_others(Span now) {
  return away_ || (free_since_ && now - *free_since_ < options_.times.courtesy && turns_.reserved(demand_.ticket));
}

// No further share of it is of use.
bool PoolUnit::full() const {
  const auto is_all = [](const Share& share) { return share.lock.parts == kUnitParts; };
  if (alone_ && !shares_.empty()) return true;
  return count(Stage::proving) > 0 || static_cast<int>(shares_.size()) >= most() || std::any_of(shares_.begin(), shares_.end(), is_all);
}

// One sample in which the unit was free proves little: what takes it was free for the time between two.
void PoolUnit::take(Span now) {
  const bool free = reason_.empty() && free_since_ && now - *free_since_ >= options_.times.sample * 9 / 10;
  if (!usable() || !free || !needed() || retest_at_ || full() || left_) return;
  auto lock = this->lock();
  if (!lock) return;
  Share& share = shares_.emplace_back();
  share.lock = std::move(*lock);
  share.since = now;
  name(share);
  share.proof = ask_();
}

// We wait while others have all of it, and after that until we got it or see that it is no longer free.
void PoolUnit::queue() {
  const bool ours = usable() && needed() && !away_;
  const bool wanted = ours && (shares_.empty() || (alone_ && !complete()));
  turns_.reserve(ours && !demand_.complete ? demand_.ticket : std::nullopt);
  if (wanted && !holders_.empty()) turns_.wait(true);
  else if (!wanted || !reason_.empty()) turns_.wait(false);
}

void PoolUnit::name(const Share& share) const {
  const bool running = share.stage == Stage::used && !share.attempt.empty();
  name_holder(share.lock, {options_.user, options_.study, running ? share.attempt : "-", ::getpid()});
}

// ---- What is told ------------------------------------------------------------------------------------------------

void PoolUnit::tell() {
  const auto why = why_busy();
  settled_ = why.has_value();
  if (why) busy_ = *why;
}

// None while the next readings will tell: until then it is what it was.
std::optional<std::string> PoolUnit::why_busy() const {
  if (!reading_.fault.empty()) return busy_reason(reading_, options_.rule);
  if (retest_at_) return quarantine_;
  if (in_hand() || count(Stage::used) >= most()) return "";
  for (const Share& share : shares_)
    if (share.stage == Stage::cooling) return share.leaving ? "left to another study that waits for it" : "";
  if (!holders_.empty()) return holders_text(holders_);
  if (!reason_.empty()) return reason_;
  if (!lock_fault_.empty()) return lock_fault_;
  if (left_) return "left to another study that waits for it";
  if (options_.units > 1 && usable() && !demand_.complete && !demand_.promising) return "free, and too few others are";
  return count(Stage::used) > 0 || !fits() ? std::optional<std::string>("") : std::nullopt;
}

Unit PoolUnit::unit() const {
  int taken = 0;
  for (const UnitHolder& holder : holders_) taken += holder.parts;
  const double free = 1 - static_cast<double>(taken) / kUnitParts;
  return {uuid_, reading_.name, reading_.memory, reading_.index, reading_.group, busy_, free};
}

bool PoolUnit::ready(std::uint64_t number, bool alone) const {
  return (alone ? complete() : in_hand()) && number_ >= number;
}

std::string PoolUnit::hindrance() const {
  if (!busy_.empty()) return busy_;
  if (!holders_.empty()) return holders_text(holders_);
  if (count(Stage::cooling) > 0) return memory_text(reading_.memory_used) + " still in use after its last trial";
  return count(Stage::used) >= most() ? "another trial of this study runs on it" : "it has not been seen free";
}

// ---- Trials ------------------------------------------------------------------------------------------------------

FileDescriptor PoolUnit::grant(bool alone) {
  const auto share = std::find_if(shares_.begin(), shares_.end(), [&](const Share& s) {
    return s.stage == Stage::in_hand && (!alone || s.lock.parts == kUnitParts);
  });
  if (share == shares_.end()) return {};
  FileDescriptor lock(::fcntl(share->lock.file.get(), F_DUPFD_CLOEXEC, 0));
  if (!lock.open()) return lock;
  share->stage = Stage::used;
  turns_.used();
  return lock;
}

void PoolUnit::run(const std::string& attempt) {
  auto share = std::find_if(shares_.begin(), shares_.end(), [&](const Share& s) {
    return s.stage == Stage::used && (s.attempt.empty() || s.attempt == attempt);
  });
  if (share == shares_.end()) {
    shares_.emplace_back().stage = Stage::used;
    share = std::prev(shares_.end());
  }
  share->attempt = attempt;
  if (share->lock.file.open()) name(*share);
  tell();
}

void PoolUnit::take_back(Span now) {
  for (Share& share : shares_) {
    if (share.stage != Stage::used || !share.attempt.empty()) continue;
    share.stage = Stage::in_hand;
    share.since = now;
  }
}

void PoolUnit::end(const std::string& attempt, Span now) {
  for (Share& share : shares_) {
    if (share.stage != Stage::used || share.attempt != attempt) continue;
    share.stage = Stage::cooling;
    share.since = now;
    share.proof = ask_();
    try {
      share.leaving = turns_.awaited();
    } catch (const std::system_error&) {
      share.leaving = false;
    }
    if (share.lock.file.open()) name(share);
  }
  tell();
}

}  // namespace hpsearch
