#include "trials/spec_faults.h"

#include <algorithm>
#include <set>

namespace hpsearch {
namespace {

struct Line {
  int number;
  std::string text;
};

std::string sentence(const std::string& path, const std::string& message) {
  return (path.empty() ? "" : path + ": ") + message;
}

std::string sorted_text(std::vector<Line> lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.number < b.number; });
  std::string text;
  for (const Line& line : lines) text += (text.empty() ? "" : "\n") + line.text;
  return text;
}

}  // namespace

std::string SpecFaults::text(const std::string& file, const JsonDocument& document) const {
  std::vector<Line> lines;
  std::set<std::string> named;
  for (const JsonFault& fault : document.faults) {
    named.insert(fault.path);
    const std::string place = file + ":" + std::to_string(fault.line) + ":" + std::to_string(fault.column) + ": ";
    lines.push_back({fault.line, place + sentence(fault.path, fault.message)});
  }
  for (const Fault& fault : faults_) {
    if (!fault.path.empty() && named.count(fault.path)) continue;
    const auto known = document.lines.find(fault.place);
    const int line = known == document.lines.end() ? 1 : known->second;
    lines.push_back({line, file + ":" + std::to_string(line) + ": " + sentence(fault.path, fault.message)});
  }
  return sorted_text(std::move(lines));
}

std::string SpecFaults::text(const std::string& name) const {
  std::vector<Line> lines;
  for (const Fault& fault : faults_) lines.push_back({0, name + ": " + sentence(fault.path, fault.message)});
  return sorted_text(std::move(lines));
}

}  // namespace hpsearch
