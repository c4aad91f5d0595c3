#include <set>

#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

constexpr std::string_view kLettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr int kMostOfAHost = 100'000;
constexpr Span kLostAfterElastic{120'000};   // What is taken away from us does not come back.

bool only(const std::string& text, const std::string& more) {
  const std::string allowed = std::string(kLettersAndDigits) + more;
  return text.find_first_not_of(allowed) == std::string::npos;
}

bool host_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name[0] != '-' && only(name, "._@-");
}

// What is left of the text when everything else is taken out of it.
std::string as_host_name(std::string text, const std::string& fallback) {
  std::erase_if(text, [](char c) { return !only(std::string(1, c), "._@-"); });
  text.erase(0, text.find_first_not_of(".-"));
  return text.empty() ? fallback : text;
}

std::string default_host_name(const HostSpec& host) {
  switch (host.kind) {
    case HostKind::local: return "local";
    case HostKind::ssh: return as_host_name(host.ssh, "ssh");
    case HostKind::slurm: return "slurm";
    case HostKind::command: break;
  }
  const std::string program = host.command.empty() ? "" : host.command.front();
  return as_host_name(program.substr(program.rfind('/') + 1), "command");
}

void read_host_name(const Fields& entry, HostSpec& host) {
  host.name = default_host_name(host);
  const auto field = entry.find("name");
  const auto name = field ? field->text() : std::nullopt;
  if (!name) return;
  host.name = *name;
  if (!host_name(*name))
    field->fault(shown(field->value()) +
                 " is not a name for a host: it has A-Z a-z 0-9 . _ @ - and no leading dot or dash");
}

std::optional<std::string> read_gpu(const Field& item) {
  if (item.value().is_number()) {
    const auto index = item.integer(0, kMostOfAHost);
    return index ? std::optional(std::to_string(*index)) : std::nullopt;
  }
  const std::string id = item.value().is_string() ? item.value().get<std::string>() : "";
  const bool uuid = (id.starts_with("GPU-") || id.starts_with("MIG-")) && id.size() > 4 && only(id, "-/");
  if (!uuid) item.expected("a GPU's number or UUID, as 0 or \"GPU-5f3e\"");
  return uuid ? std::optional(id) : std::nullopt;
}

std::vector<std::string> read_host_gpus(const Field& field) {
  std::vector<std::string> gpus;
  std::set<std::string> seen;
  for (const Field& item : field.items("a list of GPUs, as [0, 1] (\"max_gpus\" says how many)")) {
    const auto gpu = read_gpu(item);
    if (gpu && !seen.insert(*gpu).second) item.fault(shown(item.value()) + " is listed twice");
    if (gpu) gpus.push_back(*gpu);
  }
  return gpus;
}

void read_room(const Fields& entry, HostSpec& host) {
  const auto count = [&](const std::string& key, int least) {
    const auto field = entry.find(key);
    const auto number = field ? field->integer(least, kMostOfAHost) : std::nullopt;
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
  };
  host.slots = count("slots", 1);
  host.max_gpus = count("max_gpus", 0);
  if (const auto gpus = entry.find("gpus")) host.gpus = read_host_gpus(*gpus);
}

void read_places(const Fields& entry, HostSpec& host) {
  const auto dir = entry.find("dir"), program = entry.find("program");
  if (dir) host.dir = dir->name().value_or("");
  if (!host.dir.empty() && !host.dir.starts_with("/") && !host.dir.starts_with("~/"))
    dir->expected("a folder that begins with / or ~/");
  if (program) host.program = program->name().value_or("");
  // It goes on a remote command line, for a shell to read.
  if (host.program.starts_with("-") || !only(host.program, "._/~+-"))
    program->expected("a path of A-Z a-z 0-9 . _ / ~ + - without a leading dash");
}

void read_vars(const Field& field, const Json& settings, HostSpec& host) {
  std::vector<std::string> known;
  for (const auto& [name, value] : settings.items()) known.push_back(name);
  for (const Field& member : field.members("an object of settings, as {\"data\": \"/scratch/data\"}")) {
    if (!settings.is_null() && !contains(known, member.key()))
      member.fault("no setting is called " + shown(member.key()) + did_you_mean(member.key(), known));
    else if (member.value().is_structured()) member.expected("text, a number, true, false or null");
    else if (member.passable()) host.vars[member.key()] = member.value();
  }
}

void read_surroundings(const Fields& entry, const Json& settings, HostSpec& host) {
  const auto setup = entry.find("setup"), env = entry.find("env"), vars = entry.find("vars");
  const auto labels = entry.find("labels"), lost = entry.find("lost_after");
  if (setup) host.setup = setup->text().value_or("");
  if (host.setup.find_first_of("\n\r") != std::string::npos) setup->fault("must be one line");
  if (env) host.env = read_env(*env);
  if (vars) read_vars(*vars, settings, host);
  if (labels) host.labels = read_labels(*labels);
  if (host.elastic) host.lost_after = kLostAfterElastic;
  if (lost) host.lost_after = lost->span().value_or(host.lost_after);
}

}  // namespace

void read_host_price(const Fields& fields, HostSpec& host) {
  const auto field = fields.find("price_per_hour");
  if (!field) return;
  const double price = field->value().is_number() ? field->value().get<double>() : -1;
  if (host.price_per_hour) field->fault("stands beside \"elastic\" too; once is enough");
  else if (price >= 0) host.price_per_hour = price;
  else field->expected("a number of at least 0");
}

HostSpec read_host(const Field& item, const Json& settings) {
  const Fields entry(item, "host");
  HostSpec host;
  host.document = item.value();
  read_host_price(entry, host);
  read_host_kind(entry, host);
  read_host_name(entry, host);
  read_room(entry, host);
  read_places(entry, host);
  read_surroundings(entry, settings, host);
  return host;
}

}  // namespace hpsearch
