#include "trials/elastic.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace hpsearch {

namespace {

constexpr int kMostFailures = 3;
constexpr std::array kPauses{Span(5'000), Span(60'000)};  // After the first failure in a row, and the second.
constexpr std::size_t kMostOfName = 24;                   // Of the study's name and of the host's, each.

// As clouds take it.
std::string plain(std::string text) {
  for (char& c : text) c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '-';
  return text;
}

}  // namespace

std::vector<HostSpec> instances(const HostSpec& entry) {
  std::vector<HostSpec> hosts(entry.elastic->max, entry);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    hosts[i].entry = entry.name;
    hosts[i].name += "-" + std::to_string(i + 1);
  }
  return hosts;
}

std::vector<HostSpec> session_hosts(const StudySpec& spec) {
  std::vector<HostSpec> hosts;
  for (const HostSpec& host : spec.hosts) {
    if (!host.elastic) hosts.push_back(host);
    else for (HostSpec& instance : instances(host)) hosts.push_back(std::move(instance));
  }
  return hosts;
}

// The end of the host's name is its number.
std::string instance_name(const std::string& study, const std::string& study_id, const std::string& host) {
  const std::string end = host.substr(host.size() - std::min(host.size(), kMostOfName));
  return "hp-" + plain(study.substr(0, kMostOfName) + "-" + study_id.substr(0, 8) + "-" + end);
}

void ElasticEntry::failed(Time launched_at, Time now, const std::string& reason) {
  if (failures > 0 && launched_at < failed_at) return;
  failed_at = now;
  if (++failures >= kMostFailures) given_up = std::to_string(failures) + " launches in a row failed: " + reason;
  else next_launch = now + kPauses[failures - 1];
}

}  // namespace hpsearch
