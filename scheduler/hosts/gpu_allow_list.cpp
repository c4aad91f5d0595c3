#include "scheduler/hosts/gpu_allow_list.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <utility>

#include "trials/number.h"

namespace hpsearch {

namespace {

using Units = std::vector<const GpuReading*>;

const std::string kVariable = "CUDA_VISIBLE_DEVICES";

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// An empty item at the end is one too.
std::vector<std::string> entries_of(const std::string& list) {
  std::vector<std::string> entries;
  std::istringstream text(list + ',');
  for (std::string entry; std::getline(text, entry, ',');) entries.push_back(trimmed(entry));
  return entries;
}

std::string machine_text(const std::vector<GpuReading>& units) {
  if (units.empty()) return "this machine has no GPU";
  int last = 0;
  for (const GpuReading& unit : units) last = std::max(last, unit.index);
  return last == 0 ? "this machine has GPU 0 only" : "this machine has GPUs 0 to " + std::to_string(last);
}

Units with_index(std::int64_t index, const std::vector<GpuReading>& units) {
  Units found;
  for (const GpuReading& unit : units)
    if (unit.index == index) found.push_back(&unit);
  return found;
}

// The UUID, of a GPU or an instance, that begins so; none when several do.
std::optional<std::string> whole_uuid(const std::string& beginning, const std::vector<GpuReading>& units) {
  std::set<std::string> candidates;
  for (const GpuReading& unit : units)
    for (const std::string& uuid : {unit.uuid, unit.gpu}) {
      if (uuid == beginning) return uuid;
      if (uuid.starts_with(beginning)) candidates.insert(uuid);
    }
  return candidates.size() == 1 ? std::optional(*candidates.begin()) : std::nullopt;
}

// The units that an entry names; none for one that is not valid.
Units named(const std::string& entry, const std::vector<GpuReading>& units) {
  if (!entry.empty() && std::isdigit(static_cast<unsigned char>(entry[0]))) {
    const auto index = parse_integer(entry);
    return index ? with_index(*index, units) : Units{};
  }
  if (!entry.starts_with("GPU-") && !entry.starts_with("MIG-")) return {};
  Units found;
  if (const auto uuid = whole_uuid(entry, units))
    for (const GpuReading& unit : units)
      if (unit.uuid == *uuid || unit.gpu == *uuid) found.push_back(&unit);
  return found;
}

// Adds what is new; whether something was not.
bool add(Units& to, const Units& from) {
  bool doubled = false;
  for (const GpuReading* unit : from) {
    if (std::find(to.begin(), to.end(), unit) == to.end()) to.push_back(unit);
    else doubled = true;
  }
  return doubled;
}

bool means_none(const std::string& entry) { return entry.empty() || entry == "-1" || entry == "NoDevFiles"; }

void remark(AllowedGpus& allowed, const std::string& text) {
  allowed.remark += (allowed.remark.empty() ? "" : "; ") + text;
}

Units read_variable(const std::string& value, const std::vector<GpuReading>& units, AllowedGpus& allowed) {
  const std::vector<std::string> entries = entries_of(value);
  const std::string setting = trimmed(value).empty() ? kVariable + " is empty" : kVariable + '=' + value;
  Units visible;
  for (const std::string& entry : entries) {
    const Units found = named(entry, units);
    if (found.empty() && !visible.empty()) remark(allowed, setting + " is read up to \"" + entry + "\": " + machine_text(units));
    else if (found.empty() && means_none(entry)) remark(allowed, setting + ": no GPU is to be used");
    else if (found.empty()) allowed.fault = setting + ": " + machine_text(units);
    if (found.empty()) break;
    if (add(visible, found)) remark(allowed, setting + " names " + entry + " twice; it counts once");
  }
  return visible;
}

Units read_list(const std::vector<std::string>& entries, const std::vector<GpuReading>& units, AllowedGpus& allowed) {
  Units listed;
  for (const std::string& entry : entries) {
    const Units found = named(entry, units);
    add(listed, found);
    if (found.empty()) remark(allowed, "\"gpus\" names " + entry + ": " + machine_text(units));
  }
  if (listed.empty() && !entries.empty()) allowed.fault = std::exchange(allowed.remark, "");
  return listed;
}

Units common(const Units& visible, const Units& listed) {
  Units both;
  for (const GpuReading* unit : listed)
    if (std::find(visible.begin(), visible.end(), unit) != visible.end()) both.push_back(unit);
  return both;
}

Units all(const std::vector<GpuReading>& units) {
  Units found;
  for (const GpuReading& unit : units) found.push_back(&unit);
  return found;
}

}  // namespace

AllowedGpus allowed_gpus(const GpuAllowance& allowance, const std::vector<GpuReading>& units) {
  AllowedGpus allowed;
  Units chosen = all(units);
  if (allowance.visible && !units.empty()) chosen = read_variable(*allowance.visible, units, allowed);
  if (allowance.gpus && allowed.fault.empty()) {
    const Units visible = std::exchange(chosen, {});
    const Units listed = read_list(*allowance.gpus, units, allowed);
    chosen = common(visible, listed);
    if (chosen.empty() && !visible.empty() && !listed.empty())
      allowed.fault = kVariable + '=' + allowance.visible.value_or("") + " and \"gpus\" have no GPU in common";
  }
  const auto most = static_cast<std::size_t>(allowance.max_gpus.value_or(static_cast<int>(chosen.size())));
  for (const GpuReading* unit : chosen)
    if (!unit->uuid.empty() && allowed.uuids.size() < most) allowed.uuids.push_back(unit->uuid);
  return allowed;
}

}  // namespace hpsearch
