#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/device_pool.h"
#include "tests/hosts/trial_lab.h"

namespace hpsearch::testing {

// A machine whose GPUs are the lines of a text file (tests/support/fake_nvml.cpp), with a lock folder of its own.
class GpuLab {
 public:
  GpuLab();

  // What the driver says from now on.
  void driver(const std::string& lines);
  std::filesystem::path file(const std::string& name) const { return home.path() / name; }
  // The file in which programs on this unit register.
  std::string programs(const std::string& uuid) const { return " processes=" + file(uuid).string(); }
  // Starts `command` as a program that has so much memory on the unit; in the environment of an attempt unless "".
  pid_t program(const std::string& uuid, int mib, const std::string& attempt, const std::vector<std::string>& command = {"sleep", "60"},
                std::vector<std::pair<int, int>> descriptors = {});
  static void end(pid_t program);            // KILL, and reaped.

  TemporaryFolder home;
};

// A scheduler's side of a DevicePool, with times a hundredth of life's.
class PoolLab {
 public:
  PoolLab(boost::asio::io_context& io, const std::string& study, double share = 1, const std::function<void(DeviceOptions&)>& change = {});

  // Runs `io` until it holds; fails the test after ten seconds.
  bool until(const std::function<bool()>& holds);
  bool until_told(const std::function<bool(const SeenDevices&)>& holds) { return until([&] { return told > 0 && holds(seen); }); }
  const Unit& unit(const std::string& uuid) const;
  bool free(const std::string& uuid) const { return told > 0 && unit(uuid).busy.empty(); }

  // The locks of a trial that runs from now on; the fault is kept where there are none.
  std::vector<FileDescriptor> start(const std::vector<std::string>& uuids, const std::string& attempt);

  boost::asio::io_context& io;
  SeenDevices seen;
  int told = 0;
  std::vector<std::pair<std::string, std::string>> contended;
  std::string fault;
  std::unique_ptr<DevicePool> pool;
};

DeviceTimes short_times();

}  // namespace hpsearch::testing
