#include <algorithm>

#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

const std::vector<std::string> kHostKinds{"local", "ssh", "slurm", "command"};
constexpr std::string_view kInstance = "{host}";

void read_local_host(const Field& field) {
  if (field.truth() == false) field.fault("must be true; other kinds of host are \"ssh\", \"slurm\" and \"command\"");
}

void read_ssh_host(const Field& field, HostSpec& host) {
  const auto destination = field.text();
  if (!destination) return;
  const auto blank = [](char c) { return c == ' ' || control_character(c); };
  const bool blanks = std::any_of(destination->begin(), destination->end(), blank);
  if (!blanks && !destination->empty() && destination->front() != '-') host.ssh = *destination;
  else field.expected("a destination of ssh, as \"user@gpu1\", without blanks or a leading dash; options stand in "
                      "\"ssh_options\"");
}

void read_ssh_options(const Field& field, HostSpec& host) {
  host.ssh_options = read_options(field, "[\"-p\", \"2222\"]", "ssh would take it for the destination");
}

void read_elastic(const Field& field, HostSpec& host) {
  const Fields fields(field, "elastic");
  ElasticSpec& elastic = host.elastic.emplace();
  if (const auto launch = fields.require("launch", "[\"./launch.sh\"]")) elastic.launch = read_arguments(*launch);
  if (const auto release = fields.require("release", "[\"./release.sh\", \"{host}\"]"))
    elastic.release = read_arguments(*release);
  if (const auto max = fields.find("max"))
    elastic.max = static_cast<int>(max->integer(1, 100'000).value_or(elastic.max));
  if (const auto idle = fields.find("idle")) elastic.idle = idle->span().value_or(elastic.idle);
  read_host_price(fields, host);
}

// That {host} and "elastic" come together. `target` is the value of "ssh" or "command".
void check_instance(const Field& target, const HostSpec& host) {
  std::vector<std::string> texts = host.command;
  if (!host.ssh.empty()) texts.push_back(host.ssh);
  const bool named = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find(kInstance) != std::string::npos;
  });
  if (named && !host.elastic) target.fault("{host} is the address of an instance of \"elastic\", which is missing");
  if (!named && host.elastic && !texts.empty())
    target.fault("must contain {host}, the address of an instance, since \"elastic\" is given");
}

void check_companion(const Fields& entry, const std::string& key, const std::vector<std::string>& kinds,
                     const std::string& kind) {
  const auto field = entry.find(key);
  if (field && !contains(kinds, kind)) field->fault("goes with " + joined_quoted(kinds) + " only");
}

void check_companions(const Fields& entry, const std::string& kind) {
  check_companion(entry, "ssh_options", {"ssh"}, kind);
  check_companion(entry, "elastic", {"ssh", "command"}, kind);
  check_companion(entry, "program", {"ssh", "slurm", "command"}, kind);
  const auto dir = entry.find("dir");
  if (dir && kind == "local") dir->fault("does not go with \"local\": --dir moves it");
}

std::vector<std::string> kinds_of(const Fields& entry) {
  std::vector<std::string> kinds;
  for (const std::string& kind : kHostKinds)
    if (entry.find(kind)) kinds.push_back(kind);
  return kinds;
}

void read_kind_values(const Fields& entry, HostSpec& host) {
  const auto local = entry.find("local"), ssh = entry.find("ssh"), slurm = entry.find("slurm");
  const auto command = entry.find("command"), elastic = entry.find("elastic"), options = entry.find("ssh_options");
  if (local) read_local_host(*local);
  if (ssh) read_ssh_host(*ssh, host);
  if (options) read_ssh_options(*options, host);
  if (slurm) host.slurm = read_slurm(*slurm);
  if (command) host.command = read_arguments(*command);
  if (elastic) read_elastic(*elastic, host);
}

}  // namespace

void read_host_kind(const Fields& entry, HostSpec& host) {
  read_kind_values(entry, host);
  const std::vector<std::string> kinds = kinds_of(entry);
  const std::string one = "one of " + joined_quoted(kHostKinds);
  if (kinds.size() > 1) entry.self().fault("has " + joined_quoted(kinds) + "; a host has " + one);
  if (kinds.empty() && entry.self().value().is_object())
    entry.self().fault("needs " + one + "; for example \"local\": true");
  if (kinds.size() != 1) return;
  const auto ssh = entry.find("ssh"), command = entry.find("command");
  if (ssh) host.kind = HostKind::ssh;
  if (command) host.kind = HostKind::command;
  if (entry.find("slurm")) host.kind = HostKind::slurm;
  check_companions(entry, kinds.front());
  if (ssh || command) check_instance(ssh ? *ssh : *command, host);
}

}  // namespace hpsearch
