#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "trials/spec_parts.h"
#include "trials/suggestion.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

std::string file_text(const std::filesystem::path& file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) throw UserError(file.string() + ": is a folder, not a file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw UserError(file.string() + ": can't be read: " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw UserError(file.string() + ": can't be read to its end");
  return text;
}

// One file serves many studies: what is meant for the settings of others is left out. Returns what may be a slip of the pen.
std::vector<std::string> drop_foreign_vars(Json& host, const std::string& where, const Json& settings) {
  std::vector<std::string> known, doubts;
  for (const auto& [name, value] : settings.items()) known.push_back(name);
  Json vars = Json::object();
  for (const auto& [name, value] : host["vars"].items()) {
    const std::string meant = did_you_mean(name, known);
    if (settings.contains(name)) vars[name] = value;
    else if (!meant.empty()) doubts.push_back(where + ".vars." + name + ": left out, no setting is called so" + meant);
  }
  host["vars"] = vars;
  return doubts;
}

}  // namespace

std::vector<HostSpec> read_hosts_file(const std::string& file) {
  const JsonDocument document = JsonDocument::parse(file_text(file));
  SpecFaults faults;
  std::vector<HostSpec> hosts;
  if (!document.root.is_discarded()) hosts = read_host_list(Field(document.root, "", faults), Json());
  if (!document.faults.empty() || faults.size() > 0) throw UserError(faults.text(file, document));
  return hosts;
}

StudySpec with_hosts_file(const StudySpec& spec, const std::string& file) {
  Json list = Json::array();
  std::vector<std::string> doubts;
  for (const HostSpec& host : read_hosts_file(file)) {
    list.push_back(host.document);
    if (!list.back().contains("vars")) continue;
    for (std::string& doubt : drop_foreign_vars(list.back(), file + ": " + host.name, spec.settings)) doubts.push_back(std::move(doubt));
  }
  Json document = spec.document;
  document["hosts"] = list;
  StudySpec whole = parse_spec_document(document, spec.name, spec.folder);
  whole.warnings.insert(whole.warnings.end(), doubts.begin(), doubts.end());
  return whole;
}

StudySpec read_spec(const std::string& file) {
  const StudySpec spec = parse_spec(file_text(file), file);
  if (spec.hosts_file.empty()) return spec;
  return with_hosts_file(spec, (std::filesystem::path(file).parent_path() / spec.hosts_file).string());
}

}  // namespace hpsearch
