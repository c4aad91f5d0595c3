#pragma once

#include <functional>
#include <string>

#include "scheduler/hosts/gpu_allow_list.h"
#include "scheduler/hosts/gpu_rule.h"
#include "trials/event.h"
#include "trials/time.h"

namespace hpsearch {

struct DeviceTimes {
  Span sample{1'000};                        // Between two looks at the units.
  Span silence{10'000};                      // A driver that says nothing for so long does not answer.
  Span teardown{30'000};                     // For memory to fall after a trial, and for units to become ready for one.
  Span retest{60'000};                       // Of units in quarantine.
  Span figures{60'000};                      // Between reports that differ from the last one in figures only.
  // For the sake of studies that wait for a unit: a free one is kept so long, or, where others for the same trial can't be had,
  // so long; then it is left alone for a time (up to half as long again), and for twice that, up to the most, each time that
  // it was taken to no use.
  Span idle{2'000}, collecting{120'000};
  Span away{2'000}, most_away{60'000};
  Span courtesy{10'000};                     // A free unit is left so long to who has reserved it and does not take it.
};

// What a study wants of the GPUs of one machine.
struct DeviceOptions {
  GpuAllowance allowance;
  double share = 1;                          // Of each unit that a trial takes.
  int units = 1;                             // That a trial takes.
  std::function<bool(const Unit&)> fits;     // Whether trials can use a unit (model, memory); others are told of and never taken.
  std::function<bool()> hungry;              // Whether trials would start if there were units for them; empty: always.
  GpuRule rule;
  std::string user, study;                   // What others are told of us; no blanks.
  DeviceTimes times;
};

}  // namespace hpsearch
