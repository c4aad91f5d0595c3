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

  // Takes in reading `number` and does what follows from it. `complete`: as many units are in hand as a trial takes.
  void look(const GpuReading& reading, std::uint64_t number, Span now, bool complete);
  // Nothing can be seen of it now.
  void blind(const std::string& fault, Span now);
  // Whether it may be used at all. One that may not is only watched for trials that run there already.
  void offer(bool offered) { offered_ = offered; }
  bool offered() const { return offered_ && !reading_.uuid.empty(); }

  Unit unit() const;
  // What `unit` says of it is not just about to change.
  bool settled() const { return settled_; }

  // A trial waits for a share: none is let go for the sake of others meanwhile.
  void want(bool wanted) { wanted_ = wanted; }
  bool in_hand() const { return count(Stage::in_hand) > 0; }
  // A share is in hand, and reading `number` or a later one found the unit free.
  bool ready(std::uint64_t number) const { return in_hand() && number_ >= number; }
  // Why not.
  std::string hindrance() const;
  // The lock of a share in hand, to be inherited by a trial's keeper. Not open when there is none, or no descriptor left.
  FileDescriptor grant();
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
  bool fits() const { return !options_.fits || options_.fits(unit()); }
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
  void let_go_idle(Span now, bool complete);
  void take(Span now);
  void queue();
  void name(const Share& share) const;
  void tell();
  std::optional<std::string> why_busy() const;

  std::string uuid_;
  const DeviceOptions& options_;
  Ask ask_;
  UnitTurns turns_;
  bool offered_ = true, wanted_ = false, settled_ = false;

  GpuReading reading_;                       // No uuid: there has been none.
  std::uint64_t number_ = 0;
  std::vector<UnitHolder> holders_;          // Others.
  bool company_ = false;                     // Trials run on it, ours or others': the rule for idle units says nothing.
  bool away_ = false;                        // Left to others for now.
  std::string foreign_, reason_, lock_fault_, busy_ = "not looked at yet";
  std::optional<Span> free_since_, retest_at_;  // The latter while in quarantine.
  std::string quarantine_;
  std::vector<Share> shares_;
};

}  // namespace hpsearch
