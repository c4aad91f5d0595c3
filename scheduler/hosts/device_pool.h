#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduler/hosts/device_news.h"
#include "scheduler/hosts/device_options.h"
#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/gpu_watch.h"
#include "scheduler/hosts/nvml.h"
#include "scheduler/hosts/pool_unit.h"

namespace hpsearch {

// The GPUs of this machine for one study whose trials take some: watches them, takes the locks of free ones ahead, so that
// what it tells to be free is in hand and no guess, and hands the locks over when trials start. Other studies, of any user,
// do the same with the same locks. One thread, that of `io`, which outlives the pool; callbacks come from there.
class DevicePool {
 public:
  // What the scheduler must know has changed. A unit is busy "" when a trial may be started there, or as many of this study
  // run there as fit. The first call comes when all units have been looked at twice (a second or so), and at once, with no
  // units, where there is no NVML.
  using Changed = std::function<void(const SeenDevices&)>;
  // A foreign program runs beside this attempt: "GPU 3 is in use by pid 4242 of bob too". Once an attempt.
  using Contended = std::function<void(const std::string& attempt, const std::string& text)>;
  // The locks of a trial's units, in their order; or why it can't be started: "GPU 3 is no longer free: ...".
  using Done = std::function<void(std::vector<FileDescriptor> locks, const std::string& fault)>;

  // `nvml` is null where NVIDIA's library is not installed: then there are no units, no thread and nothing to do.
  DevicePool(boost::asio::io_context& io, DeviceOptions options, std::unique_ptr<Nvml> nvml, Changed changed, Contended contended);
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;
  DevicePool& operator=(const DevicePool&) = delete;

  // A trial is to start on these units: answers when each of them is in hand and a new reading shows it free, or, after
  // times.teardown, why not. A trial just ended may still be giving memory back, so this can take a while. `done` is called
  // later, never from here. It passes the locks on to a keeper, for whom and whose trial they stay open, and calls
  // `running`; if it returns without, the units go back to the pool. The pool keeps the locks too, until `ended`.
  // `alone`: the trial is to have all of each unit, whatever share others of the study take.
  void acquire(std::vector<std::string> uuids, Done done, bool alone = false);

  // A trial uses these units: it just got them, or an earlier scheduler started it. Its programs make them not busy. May be
  // called before the units have been seen.
  void running(const std::vector<std::string>& uuids, const std::string& attempt);

  // The trial is over. Its units stay in hand while their memory falls, unless another study waits for them. May call
  // `changed`: call this before a next trial is planned on the units.
  void ended(const std::string& attempt);

 private:
  struct Start {
    std::vector<std::string> uuids;
    Done done;
    bool alone;
    Span since;
    std::uint64_t proof;                     // The first reading that counts.
  };

  void later(void (DevicePool::*what)());
  void tick();
  void read_news();
  void look_at(const std::vector<GpuReading>& readings);
  void blind(const std::string& fault);
  bool allows(const std::string& uuid) const;
  PoolUnit& unit(const std::string& uuid);
  PoolUnit* find(const std::string& uuid) const;
  bool complete() const;
  bool promising() const;
  UnitDemand demand(Span now);
  void report();
  bool settled() const;
  SeenDevices seen_now() const;
  void watch_contention();
  void want();
  void serve();
  bool ready(const Start& start) const;
  bool hopeless(const Start& start) const;
  std::string hindrance(const Start& start) const;
  void hand_over(Start& start);

  boost::asio::io_context& io_;
  const DeviceOptions options_;
  Changed changed_;
  Contended contended_;
  // Handlers that are already queued in `io_` when this object goes see by it that it has gone.
  std::shared_ptr<DevicePool*> self_;
  std::unique_ptr<GpuWatch> watch_;
  boost::asio::steady_timer timer_;
  DeviceNews news_;

  std::vector<std::unique_ptr<PoolUnit>> units_;   // In the order in which they were first seen.
  std::optional<AllowedGpus> allowed_;
  std::string fault_;                        // Of the driver as a whole.
  std::uint64_t last_ = 0;                   // Number of the last reading.
  std::optional<Span> first_look_;
  bool told_ = false;                        // The first report has been made.
  std::optional<std::int64_t> ticket_;       // Of the trial whose units are collected.
  std::optional<Span> hopeless_since_;       // Its units can't be had.
  std::vector<Start> starts_;                // First come, first served.
  std::set<std::string> contended_attempts_;
};

}  // namespace hpsearch
