#include "scheduler/elastic.h"

#include <algorithm>

#include "trials/number.h"

namespace hpsearch {

namespace {

// There, or said to be: it is kept for as long as it may be idle.
bool kept(const FleetHost& host) {
  const HostState state = host.seen.state;
  const bool there = state == HostState::connecting || state == HostState::up || state == HostState::unreachable;
  return host.spec.elastic && host.indices.empty() && there;
}

Time idle_until(const FleetHost& host) { return host.idle_since + host.spec.elastic->idle; }

// Empty: it stays.
std::string reason_to_release(const FleetHost& host, Time now) {
  const HostState state = host.seen.state;
  const bool failed = state == HostState::lost || state == HostState::refused;
  if (host.spec.elastic && host.indices.empty() && failed) return to_string(state) + ": " + host.seen.reason;
  if (!kept(host)) return "";
  if (host.leaving) return "no longer in the space file";
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

bool launch_possible(const Fleet& fleet, Time now) {
  return fleet.elastic() && std::any_of(fleet.hosts().begin(), fleet.hosts().end(), [&](const FleetHost& host) { return can_launch(fleet, host, now); });
}

std::optional<HostOrdered> next_launch(const Fleet& fleet, std::int64_t waiting, Time now) {
  const FleetHost* next = nullptr;
  for (const FleetHost& host : fleet.hosts()) {
    const bool connecting = host.seen.state == HostState::connecting;
    if (connecting && !host.spec.elastic && !host.leaving) return std::nullopt;
    if (!next && can_launch(fleet, host, now)) next = &host;
    const bool coming = host.spec.elastic && !host.leaving && (connecting || host.seen.state == HostState::launching);
    if (coming) waiting -= fleet.entry(host).slots;
  }
  return next && waiting > 0 ? std::optional(HostOrdered{next->spec.name, HostOrder::launch, "trials wait"}) : std::nullopt;
}

std::optional<Time> elastic_wake(const Fleet& fleet, Time now) {
  std::optional<Time> wake;
  if (!fleet.elastic()) return wake;
  const auto at = [&](Time time) {
    if (time > now) wake = wake ? std::min(*wake, time) : time;
  };
  for (const FleetHost& host : fleet.hosts()) {
    if (kept(host)) at(idle_until(host));
    if (host.seen.state == HostState::off && fleet.may_launch(host)) at(fleet.entry(host).next_launch);
  }
  return wake;
}

}  // namespace hpsearch
