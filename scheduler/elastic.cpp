#include "scheduler/elastic.h"

#include <algorithm>

#include "trials/number.h"

namespace hpsearch {

namespace {

bool empty(const FleetHost& host) { return host.spec.elastic && host.indices.empty(); }

// It has been up: it is kept for as long as it may be idle.
bool idles(const FleetHost& host) {
  return empty(host) && (host.seen.state == HostState::up || host.seen.state == HostState::unreachable);
}

Time idle_until(const FleetHost& host) { return host.idle_since + host.spec.elastic->idle; }

// Empty: it stays.
std::string reason_to_release(const FleetHost& host, Time now) {
  const HostState state = host.seen.state;
  const bool failed = state == HostState::lost || state == HostState::refused;
  if (empty(host) && failed) return to_string(state) + ": " + host.seen.reason;
  if (empty(host) && host.leaving && state == HostState::connecting) return "no longer in the space file";
  if (!idles(host)) return "";
  if (host.leaving) return "no longer in the space file";
  if (!host.benched.empty()) return host.benched;
  return now >= idle_until(host) ? "idle for " + format_span_ms(host.spec.elastic->idle.count()) : "";
}

bool can_launch(const Fleet& fleet, const FleetHost& host, Time now) {
  return host.seen.state == HostState::off && fleet.may_launch(host) && now >= fleet.entry(host).next_launch;
}

}  // namespace

std::optional<HostOrdered> next_release(const Fleet& fleet, Time now) {
  if (!fleet.elastic()) return std::nullopt;
  for (const FleetHost& host : fleet.hosts())
    if (const std::string reason = reason_to_release(host, now); !reason.empty())
      return HostOrdered{host.spec.name, HostOrder::release, reason};
  return std::nullopt;
}

std::optional<Launch> next_launch(const Fleet& fleet, Time now) {
  if (!fleet.elastic()) return std::nullopt;
  std::optional<Launch> next;
  std::int64_t coming = 0;
  for (const FleetHost& host : fleet.hosts()) {
    const bool connecting = host.seen.state == HostState::connecting;
    if (connecting && !host.spec.elastic && !host.leaving) return std::nullopt;
    if (!next && can_launch(fleet, host, now)) next = Launch{{host.spec.name, HostOrder::launch, "trials wait"}, 0};
    if (host.spec.elastic && !host.leaving && (connecting || host.seen.state == HostState::launching)) coming += fleet.entry(host).slots;
  }
  if (next) next->coming = coming;
  return next;
}

std::optional<Time> elastic_wake(const Fleet& fleet, Time now) {
  std::optional<Time> wake;
  if (!fleet.elastic()) return wake;
  const auto at = [&](Time time) {
    if (time > now) wake = wake ? std::min(*wake, time) : time;
  };
  for (const FleetHost& host : fleet.hosts()) {
    if (idles(host)) at(idle_until(host));
    if (host.seen.state == HostState::off && fleet.may_launch(host)) at(fleet.entry(host).next_launch);
  }
  return wake;
}

}  // namespace hpsearch
