#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "trials/spec_parts.h"
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

}  // namespace

std::vector<HostSpec> read_hosts_file(const std::string& file, const Json& settings) {
  const JsonDocument document = JsonDocument::parse(file_text(file));
  SpecFaults faults;
  std::vector<HostSpec> hosts;
  if (!document.root.is_discarded()) hosts = read_host_list(Field(document.root, "", faults), settings);
  if (!document.faults.empty() || faults.size() > 0) throw UserError(faults.text(file, document));
  return hosts;
}

StudySpec with_hosts_file(const StudySpec& spec, const std::string& file) {
  Json list = Json::array();
  for (const HostSpec& host : read_hosts_file(file, spec.settings)) list.push_back(host.document);
  Json document = spec.document;
  document["hosts"] = list;
  return parse_spec_document(document, spec.name, spec.folder);
}

StudySpec read_spec(const std::string& file) {
  const StudySpec spec = parse_spec(file_text(file), file);
  if (spec.hosts_file.empty()) return spec;
  return with_hosts_file(spec, (std::filesystem::path(file).parent_path() / spec.hosts_file).string());
}

}  // namespace hpsearch
