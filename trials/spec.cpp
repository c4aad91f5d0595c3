#include "trials/spec.h"

#include <algorithm>
#include <filesystem>

#include "trials/spec_parts.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

bool study_name(const std::string& name) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  return !name.empty() && name.size() <= 64 && name[0] != '.' && name.find_first_not_of(kAllowed) == std::string::npos;
}

constexpr const char* kNameRule = "has 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot or dash";

// `fallback` names a file that says nothing.
std::string read_name(const Fields& root, const std::string& fallback) {
  const auto field = root.find("study");
  const auto name = field ? field->text() : std::optional(fallback);
  if (!name || study_name(*name)) return name.value_or("");
  if (field) field->fault(shown(field->value()) + " is not a name for a study: it " + kNameRule);
  else root.missing("study", "missing, and the file's name, " + shown(fallback) + ", will not do: it " + kNameRule);
  return *name;
}

void require_end(const Fields& root, const StudySpec& spec, bool faulty) {
  const Limits& limits = spec.limits;
  if (limits.trials || limits.time || limits.gpu_hours || limits.cost) return;
  const auto given = root.find("limits");
  const bool tried = given && given->value().is_object() &&
                     (given->value().contains("trials") || given->value().contains("time"));
  if (faulty || tried || spec.search.sampler.type == "grid" || spec.space.size()) return;
  root.missing("limits", "must say when the study ends, by trials, time, gpu_hours or cost; for example \"limits\": "
                         "{\"trials\": 60}");
}

void warn_unpriced(const StudySpec& spec, SpecFaults& faults) {
  const auto priced = [](const HostSpec& host) { return host.price_per_hour.has_value(); };
  const bool any = std::any_of(spec.hosts.begin(), spec.hosts.end(), priced);
  if (spec.limits.cost && spec.hosts_file.empty() && !any)
    faults.warn("limits.cost", "no host has a \"price_per_hour\": it ends nothing");
}

StudySpec read_document(const Json& document, const std::string& fallback_name, SpecFaults& faults) {
  StudySpec spec;
  const Field whole(document, "", faults);
  if (!document.is_object()) whole.expected("one JSON object");
  if (!document.is_object()) return spec;
  const Fields root(whole, "space_file");
  ParamScope scope{spec.space, {}, {}};
  spec.name = read_name(root, fallback_name);
  read_params(root, spec.space, scope);
  spec.space.constraints = read_constraints(root, scope);
  spec.settings = read_settings(root, scope);
  spec.resource = read_resource(root, scope, spec.settings);
  spec.command = read_command(root, scope, spec.settings, spec.resource);
  spec.metrics = read_metrics(root);
  spec.trial = read_trial(root);
  spec.search = read_search(root, spec.resource, spec.trial.checkpoint);
  spec.limits = read_limits(root);
  spec.hosts = read_hosts(root, spec.hosts_file);
  spec.files = read_files(root);
  spec.collect = read_collect(root);
  spec.enqueue = read_enqueued(root, scope);
  if (const auto schema = root.find("$schema")) schema->text();
  require_end(root, spec, !scope.faulty.empty() || scope.all.empty());
  warn_unpriced(spec, faults);
  spec.document = document;
  spec.warnings = faults.warnings();
  return spec;
}

}  // namespace

StudySpec parse_spec(const std::string& text, const std::string& file) {
  const JsonDocument document = JsonDocument::parse(text);
  const std::filesystem::path path(file);
  SpecFaults faults;
  StudySpec spec;
  if (!document.root.is_discarded()) spec = read_document(document.root, path.stem().string(), faults);
  if (!document.faults.empty() || faults.size() > 0) throw UserError(faults.text(file, document));
  spec.folder = std::filesystem::absolute(path).lexically_normal().parent_path().string();
  return spec;
}

StudySpec parse_spec_document(const Json& document, const std::string& name, const std::string& folder) {
  SpecFaults faults;
  StudySpec spec = read_document(document, name, faults);
  if (faults.size() > 0) throw UserError(faults.text(name));
  spec.name = name;
  spec.folder = folder;
  return spec;
}

}  // namespace hpsearch
