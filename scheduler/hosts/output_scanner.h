#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "trials/pattern.h"
#include "trials/report.h"
#include "trials/spec.h"

namespace hpsearch {

// Finds the reports in a program's own output: "hpsearch:" lines and the study's `collect` rules.
class OutputScanner {
 public:
  // `stream` is "stdout" or "stderr": only that stream's rules apply.
  OutputScanner(const std::vector<CollectRule>& rules, const std::string& stream);

  // Reports of one line, in the order of the rules. Throws std::invalid_argument (BadStep for
  // its step) when a line that is marked as a report, or a match, is malformed.
  std::vector<Report> reports(std::string_view line) const;

  bool idle() const { return !marked_ && rules_.empty(); }  // Nothing to look for.

 private:
  struct Rule {
    Pattern pattern;
    std::vector<std::string> as;
  };
  bool marked_;  // "hpsearch:" lines count.
  std::vector<Rule> rules_;
};

}  // namespace hpsearch
