#pragma once

#include <string>

#include "trials/event.h"

namespace hpsearch {

// An attempt whose job is over and whose keeper has left no record of its end.
struct LostJob {
  std::string state;                         // Slurm's word for it; empty: Slurm knows no such job any more.
  bool started = false;                      // Its program has been seen to run.
  bool ordered = false;                      // The job was cancelled by us.
  bool checkpoint = false;                   // Its trial can go on later.
  std::string log_tail;                      // The last that the job printed.
};

// What is made of it. Pure.
AttemptEnd end_of_lost_job(const LostJob& job);

}  // namespace hpsearch
