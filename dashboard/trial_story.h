#pragma once

#include <string>
#include <vector>

#include "dashboard/trial_log.h"
#include "trials/study.h"

namespace hpsearch {

// One step of a trial's life: what the log says happened, and why.
struct StoryLine {
  Time at{};
  std::string what;                            // The event's stored kind: "judged", "promoted", ...
  std::string text;
};

// Why a trial was suggested, each rung with its verdict, promotions, orders, ends and retries. Reports are left out.
std::vector<StoryLine> trial_story(const TrialLog& log);

// The same of the events of one transaction, as a verbose session tells them: "2026-11-30 15:48:02 trial 7 told to end".
// Ends of trials are left out: every session tells them.
std::vector<std::string> story_lines(const std::vector<Event>& events);

std::string story_text(const Trial& trial, const std::vector<StoryLine>& story);
Json story_json(const Trial& trial, const std::vector<StoryLine>& story);

}  // namespace hpsearch
