#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include "gpu_lab.h"
#include "scheduler/hosts/lock_file.h"
#include "scheduler/hosts/pool_unit.h"

namespace hpsearch::testing {

inline constexpr std::int64_t kGB = 1'000'000'000;

inline DeviceOptions pool_options(double share, const std::string& study, int units = 1) {
  DeviceOptions options;
  options.share = share;
  options.units = units;
  options.user = "alice";
  options.study = study;
  return options;
}

// One study's view of GPU-a; time is a number.
struct PoolView {
  explicit PoolView(double share = 1, const std::string& study = "fashion") : options(pool_options(share, study)) {
    reading.uuid = reading.gpu = "GPU-a";
    reading.memory = 80 * kGB;
    reading.processes = 0;
  }

  // A reading that begins at `second`.
  void look(double second) { unit.look(reading, ++number, Span(static_cast<std::int64_t>(1000 * second)), demand); }
  void look_free(double second) {
    reading.memory_used = 0;
    reading.pids.clear();
    reading.processes = 0;
    look(second);
  }
  void look_used(double second, std::int64_t memory, std::vector<std::int64_t> pids = {}) {
    reading.memory_used = memory;
    reading.processes = static_cast<int>(pids.size());
    reading.pids = std::move(pids);
    look(second);
  }
  // In hand from `second` on.
  void get(double second) {
    look_free(second - 1.1);
    look_free(second - 0.1);
    look_free(second);
    ASSERT_EQ(busy(), "");
  }
  void start(const std::string& attempt) {
    ASSERT_TRUE(unit.in_hand());
    keepers.push_back(unit.grant());
    unit.run(attempt);
  }
  void end(const std::string& attempt, double second) {
    keepers.clear();
    unit.end(attempt, Span(static_cast<std::int64_t>(1000 * second)));
  }
  std::string busy() const { return unit.unit().busy; }

  std::uint64_t number = 0;
  DeviceOptions options;
  UnitDemand demand;
  GpuReading reading;
  PoolUnit unit{"GPU-a", options, [this] { return number + 1; }};
  std::vector<FileDescriptor> keepers;       // What keepers would have inherited.
};

inline bool unit_locked() { return !lock_unit("GPU-a", 1); }

// A process of this user that no attempt started, and that lives.
inline std::int64_t stranger() { return ::getpid(); }
inline std::string stranger_text() { return "pid " + std::to_string(stranger()) + " of "; }

class PoolUnitTest : public ::testing::Test {
 protected:
  GpuLab lab_;
  PoolView a_;
};

}  // namespace hpsearch::testing
