#pragma once

#include <string>
#include <vector>

#include "dashboard/rung_visits.h"
#include "dashboard/trial_log.h"
#include "trials/study.h"

namespace hpsearch {

// Everything about one trial. The references outlive it.
struct TrialDetails {
  const Study& study;
  const Trial& trial;
  const TrialLog& log;
  std::vector<RungVisit> visits;               // Of this trial.
  std::string folder;                          // Of the trial.
  std::vector<std::string> attempt_folders;    // One an attempt.
};

std::string details_text(const TrialDetails& details);
Json details_json(const TrialDetails& details);

}  // namespace hpsearch
