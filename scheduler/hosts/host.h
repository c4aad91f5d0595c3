#pragma once

#include <string>
#include <vector>

#include "scheduler/hosts/attempt_link.h"
#include "scheduler/hosts/scheduler_words.h"
#include "trials/study.h"

namespace hpsearch {

// A live attempt of the log to take up again.
struct Adoption {
  AttemptName name;
  std::string id;
  std::uint64_t seen = 0;                    // Last line of the keeper's log that the study has.
  std::string metric;
  std::vector<SchedulerWord> words;          // What it has been told and may not have heard.
};

// One machine, or what stands for one, that runs attempts. Nothing waits; what happens comes back as facts.
class Host {
 public:
  virtual ~Host() = default;
  // A failure to start comes back as AttemptEnded{launch_failed}, or {lost} where the host is at fault.
  virtual void start(const Study& study, const AttemptPlanned& plan) = 0;
  // Unknown and ended attempts are ignored.
  virtual void tell(AttemptName name, const SchedulerWord& word) = 0;
  // Its missed facts follow, or AttemptEnded{lost} if nothing is left of it.
  virtual void adopt(const Adoption& adoption) = 0;
  // The checkpoints of this attempt are no longer needed.
  virtual void discard(AttemptName name) = 0;
};

}  // namespace hpsearch
