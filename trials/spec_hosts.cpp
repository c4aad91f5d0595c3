#include <set>

#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

SlurmSpec read_slurm(const Json& v) {
  SlurmSpec slurm;
  slurm.partition = v.value("partition", "");
  slurm.account = v.value("account", "");
  slurm.qos = v.value("qos", "");
  slurm.time = v.value("time", "");
  slurm.max_jobs = v.value("max_jobs", slurm.max_jobs);
  slurm.pilot = v.value("mode", "job") == "pilot";
  if (v.contains("warn")) slurm.warn = Span(std::stoi(v["warn"].get<std::string>()) * 1000);
  if (v.contains("sbatch")) slurm.sbatch = v["sbatch"].get<std::vector<std::string>>();
  return slurm;
}

HostSpec read_host(const Field& item) {
  HostSpec host;
  host.document = item.value();
  const Json& v = item.value();
  if (v.contains("ssh")) host.kind = HostKind::ssh, host.ssh = v["ssh"], host.name = host.ssh;
  if (v.contains("command")) host.kind = HostKind::command, host.command = v["command"].get<std::vector<std::string>>(), host.name = host.command[0];
  if (v.contains("slurm")) host.kind = HostKind::slurm, host.slurm = read_slurm(v["slurm"]), host.name = "slurm";
  if (v.contains("program")) host.program = v["program"];
  if (v.contains("env")) host.env = v["env"].get<std::map<std::string, std::string>>();
  if (v.contains("ssh_options")) host.ssh_options = v["ssh_options"].get<std::vector<std::string>>();
  host.name = v.value("name", host.name);
  host.dir = v.value("dir", "");
  host.setup = v.value("setup", "");
  if (v.contains("lost_after_ms")) host.lost_after = Span(v["lost_after_ms"].get<int>());
  if (v.contains("slots")) host.slots = v["slots"].get<int>();
  return host;
}

}  // namespace

std::vector<HostSpec> read_host_list(const Field& hosts) {
  std::vector<HostSpec> result;
  std::set<std::string> names;
  hosts.refuse_empty();
  for (const Field& item : hosts.items("a list, as [{\"local\": true, \"slots\": 2}]")) {
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
