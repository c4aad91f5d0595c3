#pragma once

#include <string>
#include <vector>

#include "trials/spec.h"

namespace hpsearch {

// The hosts that an elastic entry stands for: NAME-1 to NAME-max, one for each instance that may be up.
std::vector<HostSpec> instances(const HostSpec& entry);

// The hosts of a session, in the order of the space file: each elastic entry gives way to its instances.
std::vector<HostSpec> session_hosts(const StudySpec& spec);

// What an instance is called where it is made, which is how a lost one is found again: letters, digits and dashes, beginning
// with a letter, at most 63 of them. No other study and no other host of this one has it.
std::string instance_name(const std::string& study, const std::string& study_id, const std::string& host);

// What a session has learnt of one elastic entry.
struct ElasticEntry {
  int slots = 1;                             // Of an instance: as written, else as one turned out to have.
  int failures = 0;                          // Launches in a row that came to nothing; several at a time count once.
  Time failed_at{}, next_launch{};
  std::string given_up;                      // Why no more are brought up in this session; empty: they are.

  // An instance whose launch began at `launched_at` never came up.
  void failed(Time launched_at, Time now, const std::string& reason);
};

}  // namespace hpsearch
