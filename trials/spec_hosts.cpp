#include <set>

#include "trials/elastic.h"
#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

// Null when they are faulty, so that no more faults follow.
Json settings_of(const Fields& root) {
  const auto settings = root.find("settings");
  if (!settings) return Json::object();
  return settings->value().is_object() ? settings->value() : Json();
}

// The first of its instances whose name is taken: here, or where it is made.
std::optional<std::string> add_instances(const HostSpec& host, std::set<std::string>& names, std::set<std::string>& made) {
  if (!host.elastic) return std::nullopt;
  for (const HostSpec& instance : instances(host))
    if (!names.insert(instance.name).second || !made.insert(instance_name("", "", instance.name)).second) return instance.name;
  return std::nullopt;
}

}  // namespace

std::vector<HostSpec> read_host_list(const Field& hosts, const Json& settings) {
  std::vector<HostSpec> result;
  std::set<std::string> names, made;
  hosts.refuse_empty();
  for (const Field& item : hosts.items("a list, as [{\"local\": true, \"slots\": 2}]")) {
    const std::size_t faults = hosts.faults().size();
    result.push_back(read_host(item, settings));
    if (hosts.faults().size() != faults) continue;
    const std::string& name = result.back().name;
    if (!names.insert(name).second)
      item.fault("a host above has the name " + shown(name) + " too; give it a \"name\" of its own");
    else if (const auto twice = add_instances(result.back(), names, made))
      item.fault("one of its instances is called " + shown(*twice) + ", as another host is; give it another \"name\"");
  }
  return result;
}

std::vector<HostSpec> read_hosts(const Fields& root, std::string& file) {
  const auto field = root.find("hosts");
  if (field && !field->value().is_string()) return read_host_list(*field, settings_of(root));
  if (field) file = field->name().value_or("");
  HostSpec local;
  local.document = {{"local", true}};
  return {local};
}

}  // namespace hpsearch
