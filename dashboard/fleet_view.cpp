#include "dashboard/fleet_view.h"

#include <algorithm>

#include "dashboard/spending.h"
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

std::string two_digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  return text;
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

void add_spent(TextTable& table, const std::string& name, const Spent& spent) {
  table.add({name, std::to_string(spent.attempts), two_digits(spent.hours), two_digits(spent.gpu_hours), two_digits(spent.cost)});
}

std::string spending_table(const Study& study, Time now) {
  const Spending spending = spending_of(study, now);
  if (spending.all.attempts == 0 && study.instances().empty()) return "";
  TextTable table({{"spent"}, {"attempts", Align::right}, {"hours", Align::right}, {"GPU-hours", Align::right}, {"cost", Align::right}});
  for (const auto& [host, spent] : spending.by_host) add_spent(table, "on " + host, spent);
  for (const auto& [outcome, spent] : spending.by_outcome) add_spent(table, outcome, spent);
  add_spent(table, "all", spending.all);
  std::string text = "\n" + table.text();
  if (spending.saved_hours > 0) text += "stopping early saved about " + two_digits(spending.saved_hours) + " hours of running\n";
  return text;
}

Json spent_json(const Spent& spent) {
  return {{"attempts", spent.attempts}, {"hours", spent.hours}, {"gpu_hours", spent.gpu_hours}, {"cost", spent.cost}};
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
  return hosts_table(study) + units_table(study) + spending_table(study, now);
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
  const Spending spending = spending_of(study, now);
  Json by_host = Json::object(), by_outcome = Json::object();
  for (const auto& [host, spent] : spending.by_host) by_host[host] = spent_json(spent);
  for (const auto& [outcome, spent] : spending.by_outcome) by_outcome[outcome] = spent_json(spent);
  return {{"hosts", hosts},
          {"spent", {{"all", spent_json(spending.all)}, {"by_host", by_host}, {"by_outcome", by_outcome},
                     {"saved_hours", spending.saved_hours}}}};
}

}  // namespace hpsearch
