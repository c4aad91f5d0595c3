#include "scheduler/hosts/gpu_watch.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

constexpr std::chrono::milliseconds kParting{500};  // A reading under way is waited for so long at the end.

}  // namespace

struct GpuWatch::State {
  std::unique_ptr<Nvml> nvml;                // The thread's alone.
  std::mutex mutex;                          // Guards all below.
  std::condition_variable changed;
  std::function<void()> told;
  std::uint64_t begun = 0, wanted = 0;       // Numbers of readings.
  Span asked_at{};
  bool stop = false, ended = false;
  std::optional<News> latest;

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stop || wanted > begun; });
      if (stop) break;
      read(lock);
    }
    lock.unlock();
    nvml.reset();
    lock.lock();
    ended = true;
    changed.notify_all();
  }

  void read(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t number = ++begun;
    lock.unlock();
    GpuReadings readings = nvml->read();
    lock.lock();
    latest = News{number, std::move(readings), steady_now()};
    asked_at = latest->at;                   // Of those that asked meanwhile, the wait begins now.
    if (told) told();
  }
};

GpuWatch::GpuWatch(std::unique_ptr<Nvml> nvml, std::function<void()> told) : state_(std::make_shared<State>()) {
  state_->nvml = std::move(nvml);
  state_->told = std::move(told);
  thread_ = std::thread([state = state_] { state->run(); });
}

GpuWatch::~GpuWatch() {
  std::unique_lock lock(state_->mutex);
  state_->told = nullptr;
  state_->stop = true;
  state_->changed.notify_all();
  const bool ended = state_->changed.wait_for(lock, kParting, [&] { return state_->ended; });
  lock.unlock();
  if (ended) thread_.join();
  else thread_.detach();
}

std::uint64_t GpuWatch::ask() {
  const std::lock_guard lock(state_->mutex);
  const bool waited_for = (state_->latest ? state_->latest->number : 0) < state_->wanted;
  if (!waited_for) state_->asked_at = steady_now();
  state_->wanted = state_->begun + 1;
  state_->changed.notify_all();
  return state_->wanted;
}

std::optional<GpuWatch::News> GpuWatch::latest() const {
  const std::lock_guard lock(state_->mutex);
  return state_->latest;
}

Span GpuWatch::silent() const {
  const std::lock_guard lock(state_->mutex);
  const std::uint64_t read = state_->latest ? state_->latest->number : 0;
  return read < state_->wanted ? steady_now() - state_->asked_at : Span(0);
}

}  // namespace hpsearch
