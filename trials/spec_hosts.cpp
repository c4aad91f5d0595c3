#include <set>

#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

const std::vector<std::string> kLaterKinds{"ssh", "slurm", "command"};

// True for a kind of host that is known but not yet served.
bool refuse_later_kind(const Field& host) {
  for (const std::string& kind : kLaterKinds) {
    if (!host.value().is_object() || !host.value().contains(kind)) continue;
    host.fault(kind + " hosts are not available yet; available: {\"local\": true, \"slots\": 2}");
    return true;
  }
  return false;
}

HostSpec read_host(const Field& item) {
  const Fields fields(item, "host");
  HostSpec host;
  host.document = item.value();
  if (const auto name = fields.find("name")) host.name = name->name().value_or(host.name);
  if (const auto slots = fields.find("slots")) {
    const auto number = slots->integer(1, 100'000);
    if (number) host.slots = static_cast<int>(*number);
  }
  const auto local = fields.find("local");
  if (!local && item.value().is_object()) fields.missing("local", "missing; for example \"local\": true");
  if (local && local->truth() == false) local->fault("must be true: only local hosts are available yet");
  return host;
}

}  // namespace

std::vector<HostSpec> read_host_list(const Field& hosts) {
  std::vector<HostSpec> result;
  std::set<std::string> names;
  hosts.refuse_empty();
  for (const Field& item : hosts.items("a list, as [{\"local\": true, \"slots\": 2}]")) {
    if (refuse_later_kind(item)) continue;
    result.push_back(read_host(item));
    const std::string& name = result.back().name;
    if (!names.insert(name).second) item.fault("a host above has the name " + shown(name) + " too");
  }
  return result;
}

std::vector<HostSpec> read_hosts(const Fields& root, std::string& file) {
  const auto field = root.find("hosts");
  if (field && !field->value().is_string()) return read_host_list(*field);
  if (field) file = field->name().value_or("");
  HostSpec local;
  local.document = {{"local", true}};
  return {local};
}

}  // namespace hpsearch
