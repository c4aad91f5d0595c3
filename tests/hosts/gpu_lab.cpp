#include "tests/hosts/gpu_lab.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch::testing {

GpuLab::GpuLab() {
  std::filesystem::create_directory(file("locks"));
  ::setenv("FAKE_NVML", file("gpus").c_str(), 1);
  ::setenv("HPSEARCH_LOCK_DIR", file("locks").c_str(), 1);
}

void GpuLab::driver(const std::string& lines) { write_atomically(file("gpus"), lines, Durability::none); }

pid_t GpuLab::program(const std::string& uuid, int mib, const std::string& attempt, const std::vector<std::string>& command,
                      std::vector<std::pair<int, int>> descriptors) {
  const std::string before = read_file(file(uuid)).value_or("");
  SpawnRequest request{"/bin/sh", {"sh", GPU_PROGRAM, std::to_string(mib)}, {}, "", std::move(descriptors), Lead::session};
  request.argv.insert(request.argv.end(), command.begin(), command.end());
  request.env = {"PATH=/usr/bin:/bin", "CUDA_VISIBLE_DEVICES=" + uuid, "FAKE_GPUS=" + home.path().string()};
  if (!attempt.empty()) request.env.push_back("HPSEARCH_ATTEMPT_ID=" + attempt);
  const pid_t pid = spawn(request);
  EXPECT_TRUE(eventually([&] { return read_file(file(uuid)).value_or("") != before; }));
  return pid;
}

void GpuLab::end(pid_t program) {
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
}

DeviceTimes short_times() {
  DeviceTimes times;
  times.sample = Span(10);
  times.silence = Span(100);
  times.teardown = Span(300);
  times.retest = Span(200);
  times.figures = Span(600);
  times.idle = Span(20);
  times.collecting = Span(1'200);
  times.away = Span(20);
  times.most_away = Span(600);
  times.courtesy = Span(100);
  return times;
}

PoolLab::PoolLab(boost::asio::io_context& io, const std::string& study, double share, const std::function<void(DeviceOptions&)>& change)
    : io(io) {
  DeviceOptions options;
  options.share = share;
  options.user = "alice";
  options.study = study;
  options.times = short_times();
  if (change) change(options);
  const auto changed = [this](const SeenDevices& devices) {
    seen = devices;
    ++told;
  };
  const auto beside = [this](const std::string& attempt, const std::string& text) { contended.emplace_back(attempt, text); };
  pool = std::make_unique<DevicePool>(io, options, Nvml::load(), changed, beside);
}

bool PoolLab::until(const std::function<bool()>& holds) {
  const Span end = steady_now() + Span(10'000);
  while (!holds() && steady_now() < end) io.run_one_for(Span(5));
  io.restart();
  EXPECT_TRUE(holds()) << "not within 10 s";
  return holds();
}

const Unit& PoolLab::unit(const std::string& uuid) const {
  for (const Unit& unit : seen.units)
    if (unit.id == uuid) return unit;
  throw std::runtime_error("not told of " + uuid);
}

std::vector<FileDescriptor> PoolLab::start(const std::vector<std::string>& uuids, const std::string& attempt) {
  std::optional<std::vector<FileDescriptor>> locks;
  pool->acquire(uuids, [&](std::vector<FileDescriptor> got, const std::string& why) {
    if (why.empty()) pool->running(uuids, attempt);
    fault = why;
    locks = std::move(got);
  });
  until([&] { return locks.has_value(); });
  return std::move(*locks);
}

}  // namespace hpsearch::testing
