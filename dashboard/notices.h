#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "trials/study.h"

namespace hpsearch {

// What a user must hear even when quiet: each kind once a session. No line is longer than kNoticeWidth.
class Notices {
 public:
  // `study` has applied `events`.
  std::vector<std::string> lines(const Study& study, const std::vector<Event>& events);

 private:
  bool first(const std::string& kind) { return said_.insert(kind).second; }
  std::string notice(const Study& study, const Event& event);
  std::string of_fact(const Study& study, const Fact& fact);
  std::string of_decision(const Study& study, const Decision& decision);

  std::string of_host(const Study& study, const HostSeen& host);
  std::string of_completed(const Study& study, const Trial& trial);
  std::string of_report(const Study& study, const Reported& report);

  std::set<std::string> said_;
  std::set<std::string> troubled_;             // Hosts that are not up.
  std::map<int, int> late_;                    // Reports after the verdict, by trial.
};

inline constexpr std::size_t kNoticeWidth = 200;

}  // namespace hpsearch
