#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "scheduler/hosts/nvml.h"
#include "trials/time.h"

namespace hpsearch {

// Reads the driver's words about GPUs in a thread of its own: calls into a sick driver can hang for ever. It reads only when
// asked to.
class GpuWatch {
 public:
  struct News {
    std::uint64_t number = 0;                // Readings are counted from 1.
    GpuReadings readings;
    Span at{};                               // steady_now() when it was complete.
  };

  // `told` is called in the other thread after each reading, and must not call back; never after the destructor has begun.
  GpuWatch(std::unique_ptr<Nvml> nvml, std::function<void()> told);
  // A thread that hangs is left behind, with all that it uses.
  ~GpuWatch();

  // Asks for a reading that begins from now on, and returns its number. One that is under way is none.
  std::uint64_t ask();
  // The latest; none before the first.
  std::optional<News> latest() const;
  // How long an answer has been missing; zero when none is.
  Span silent() const;

 private:
  struct State;
  // Shared with the thread, which may outlive this object.
  std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace hpsearch
