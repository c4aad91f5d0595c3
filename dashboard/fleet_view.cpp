#include "dashboard/fleet_view.h"

#include <algorithm>

#include "dashboard/spending_view.h"
#include "dashboard/text_table.h"
#include "dashboard/value_text.h"

namespace hpsearch {

namespace {

// Trials that run on a host, or on one unit of it.
std::string trials_on(const Study& study, const std::string& host, const std::string& unit = "") {
  std::string text;
  for (int number : study.live()) {
    const Slot& slot = study.trial(number).current()->slot;
    const bool there = slot.host == host && (unit.empty() || std::count(slot.devices.begin(), slot.devices.end(), unit) > 0);
    if (there) text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

std::string kind_text(const HostSpec& spec) {
  switch (spec.kind) {
    case HostKind::local: return "this machine";
    case HostKind::ssh: return spec.elastic ? "elastic, ssh" : "ssh " + spec.ssh;
    case HostKind::slurm: return "Slurm";
    case HostKind::command: return (spec.elastic ? "elastic, " : "") + (spec.command.empty() ? "command" : spec.command.front());
  }
  return "";
}

std::string state_text(const HostSeen& seen) {
  return to_string(seen.state) + (seen.address.empty() ? "" : " at " + seen.address);
}

std::string hosts_table(const Study& study) {
  TextTable table({{"host"}, {"kind"}, {"state"}, {"trials", Align::right}, {"of", Align::right}, {"now running"}, {"why no more start"}});
  for (const FleetHost& host : study.fleet().hosts())
    table.add({host.spec.name, kind_text(host.spec), state_text(host.seen), std::to_string(host.indices.size()),
               std::to_string(host.capacity), trials_on(study, host.spec.name), study.fleet().why_not(host)});
  return table.text();
}

// Those of an instance that is off are remembered only.
std::vector<Unit> units_of(const FleetHost& host) {
  return host.seen.state == HostState::off ? std::vector<Unit>() : host.seen.units;
}

std::string units_table(const Study& study) {
  TextTable table({{"host"}, {"GPU", Align::right}, {"id"}, {"model"}, {"GB", Align::right}, {"trials"}, {"busy"}});
  for (const FleetHost& host : study.fleet().hosts())
    for (const Unit& unit : units_of(host))
      table.add({host.spec.name, std::to_string(unit.index), unit.id, unit.model, two_digits(static_cast<double>(unit.memory) / 1e9),
                 trials_on(study, host.spec.name, unit.id), unit.busy});
  return table.empty() ? "" : "\n" + table.text();
}

Json unit_json(const Study& study, const FleetHost& host, const Unit& unit) {
  Json trials = Json::array();
  for (int number : study.live()) {
    const Slot& slot = study.trial(number).current()->slot;
    if (slot.host == host.spec.name && std::count(slot.devices.begin(), slot.devices.end(), unit.id) > 0) trials.push_back(number);
  }
  return {{"id", unit.id}, {"index", unit.index}, {"model", unit.model}, {"memory", unit.memory}, {"group", unit.group},
          {"busy", unit.busy}, {"free", unit.free}, {"trials", trials}};
}

}  // namespace

std::string fleet_text(const Study& study, Time now) {
  return hosts_table(study) + units_table(study) + spending_text(study, now);
}

Json fleet_json(const Study& study, Time now) {
  Json hosts = Json::array();
  for (const FleetHost& host : study.fleet().hosts()) {
    Json units = Json::array();
    for (const Unit& unit : units_of(host)) units.push_back(unit_json(study, host, unit));
    hosts.push_back({{"host", host.spec.name}, {"kind", kind_text(host.spec)}, {"state", to_string(host.seen.state)},
                     {"address", host.seen.address},
                     {"trials", host.indices.size()}, {"capacity", host.capacity}, {"why_not", study.fleet().why_not(host)},
                     {"units", units}});
  }
  return {{"hosts", hosts}, {"spent", spending_json(study, now)}};
}

}  // namespace hpsearch
