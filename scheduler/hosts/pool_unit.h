#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduler/hosts/device_options.h"
#include "scheduler/hosts/nvml.h"
#include "scheduler/hosts/unit_lock.h"
#include "scheduler/hosts/unit_turns.h"
#include "trials/event.h"

namespace hpsearch {

// How a study stands with the units of its next trial.
struct UnitDemand {
  bool any = true;                           // Trials wait for units.
  bool complete = true;                      // As many are in hand as one takes,
  bool promising = true;                     // or will be when trials of other studies and of this one have ended,
  bool given_up = false;                     // or it has not looked like that for too long.
  std::optional<std::int64_t> ticket;        // Several are collected: who else does so and has a lower one goes first.
};

// One unit of a DevicePool: what the driver says of it, who has locked it, and the shares of it that are ours. A share is
// locked ahead, proved free by a reading that began after that, and kept in hand until a trial gets it; after the trial it
// comes back to hand once its memory has fallen. Times are the caller's, so that tests need no clock.
class PoolUnit {
 public:
  // `ask` makes the driver be read once more and answers the number of a reading that begins from now on.
  using Ask = std::function<std::uint64_t()>;
  // `options` outlive it.
  PoolUnit(std::string uuid, const DeviceOptions& options, Ask ask);

  const std::string& uuid() const { return uuid_; }

  // Takes in reading `number` and does what follows from it.
  void look(const GpuReading& reading, std::uint64_t number, Span now, const UnitDemand& demand);
  // Nothing can be seen of it now.
  void blind(const std::string& fault, Span now);
  // Whether it may be used at all. One that may not is only watched for trials that run there already.
  void offer(bool offered) { offered_ = offered; }
  bool offered() const { return offered_ && !reading_.uuid.empty(); }

  Unit unit() const;
  // What `unit` says of it is not just about to change.
  bool settled() const { return settled_; }

  // A trial waits for a share, or for all of it: none is let go for the sake of others meanwhile.
  void want(bool wanted, bool alone = false) { wanted_ = wanted, alone_ = alone; }
  bool in_hand() const { return count(Stage::in_hand) > 0; }
  // It is in hand or will be: it is free, or a trial of hpsearch's will end there.
  bool promising() const;
  // A share, or all of it, is in hand, and reading `number` or a later one found the unit free.
  bool ready(std::uint64_t number, bool alone = false) const;
  // Why not.
  std::string hindrance() const;
  // The lock of a share in hand, to be inherited by a trial's keeper. Not open when there is none, or no descriptor left.
  FileDescriptor grant(bool alone = false);
  // A trial runs here: that which got the lock, or one that an earlier scheduler started.
  void run(const std::string& attempt);
  // A lock that was granted, and no trial was run with it.
  void take_back(Span now);
  // The trial is over. Others who wait get the unit next.
  void end(const std::string& attempt, Span now);

  // Trials of ours on it, and programs beside them that are nobody's who has a share of it.
  std::set<std::string> trials() const { return attempts(true); }
  const std::string& foreign() const { return foreign_; }

 private:
  enum class Stage { proving, in_hand, used, cooling };
  struct Share {
    Stage stage = Stage::proving;
    UnitLock lock;                           // Not open for a trial that an earlier scheduler started: its keeper has it.
    std::uint64_t proof = 0;                 // The first reading that counts.
    Span since{};
    std::string attempt;
    bool leaving = false;                    // Others waited for it when its trial ended.
    bool over = false;                       // No longer ours.
  };

  int most() const;
  double share() const;
  bool fits() const { return !options_.fits || options_.fits(unit()); }
  bool usable() const;
  bool needed() const { return demand_.any && (demand_.complete || demand_.promising); }
  bool complete() const;
  bool full() const;
  Span for_others() const;
  int count(Stage stage) const;
  std::set<std::string> attempts(bool running) const;

  void note(Span now);
  std::vector<UnitHolder> others() const;
  bool company() const;
  std::string reason() const;
  void settle(Share& share, Span now);
  void cool(Share& share, Span now);
  std::optional<UnitLock> lock() const;
  bool relock(Share& share, Span now);
  void let_go(Share& share, Span now, bool idle);
  void let_go_idle(Span now);
  void fit_shares(Span now);
  bool left_to_others(Span now);
  void take(Span now);
  void queue();
  void name(const Share& share) const;
  void tell();
  std::optional<std::string> why_busy() const;

  std::string uuid_;
  const DeviceOptions& options_;
  Ask ask_;
  UnitTurns turns_;
  bool offered_ = true, wanted_ = false, alone_ = false, settled_ = false;
  UnitDemand demand_;

  GpuReading reading_;                       // No uuid: there has been none.
  std::uint64_t number_ = 0;
  std::vector<UnitHolder> holders_;          // Others.
  bool company_ = false;                     // Trials run on it, ours or others': the rule for idle units says nothing.
  bool away_ = false, left_ = false;         // Let go for others; to be left to others, for this reason or another.
  std::string foreign_, reason_, lock_fault_, busy_ = "not looked at yet";
  std::optional<Span> free_since_, retest_at_;  // The latter while in quarantine.
  std::string quarantine_;
  std::vector<Share> shares_;
};

}  // namespace hpsearch
