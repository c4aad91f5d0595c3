#pragma once

#include <map>
#include <string>

#include "trials/study.h"

namespace hpsearch {

// What attempts took of the hosts.
struct Spent {
  double hours = 0;       // Of running attempts, summed.
  double gpu_hours = 0;
  double cost = 0;
  int attempts = 0;
};

struct Spending {
  // Outcomes: "completed", "stopped early", "failed", "running"; "instances" of elastic hosts, whatever trials made of them.
  std::map<std::string, Spent> by_host, by_outcome;
  Spent all;
  double saved_hours = 0;  // What trials that were stopped or paused early would have run on, by their own pace.
};

// Up to `now` where attempts still run.
Spending spending_of(const Study& study, Time now);

}  // namespace hpsearch
