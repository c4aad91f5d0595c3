#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "trials/spec.h"
#include "trials/spec_field.h"

namespace hpsearch {

// The parts of a space file, each read and checked from its own key. Whatever is wrong leaves a fault in root.self()'s
// SpecFaults; the value returned then stands in, so that the other parts can still be checked.

// The parameters as far as they are read, for what refers to them.
struct ParamScope {
  const Space& space;
  std::vector<std::string> all;  // Names in the file, those to come included.
  std::set<std::string> faulty;  // Of unknown domain: nothing can be said about their values.

  bool has(const std::string& name) const;
};

// Fills `space`, which `scope` refers to.
void read_params(const Fields& root, Space& space, ParamScope& scope);
// The domain of one parameter that is written as an object with a type.
Param read_typed_param(const Field& param, const ParamScope& above);
// The choices of a list: at least one, none twice.
std::vector<Json> read_choices(const Field& list);
// The keys of a `when`, which refer to parameters of `scope`.
std::vector<Condition> read_conditions(const Field& when, const ParamScope& scope);
std::vector<Constraint> read_constraints(const Fields& root, const ParamScope& scope);
std::vector<Json> read_enqueued(const Fields& root, const ParamScope& scope);

Json read_settings(const Fields& root, const ParamScope& scope);
std::optional<Resource> read_resource(const Fields& root, const ParamScope& scope, const Json& settings);
Command read_command(const Fields& root, const ParamScope& scope, const Json& settings,
                     const std::optional<Resource>& resource);
std::vector<Metric> read_metrics(const Fields& root);
std::vector<CollectRule> read_collect(const Fields& root);

TrialSpec read_trial(const Fields& root);
std::map<std::string, std::string> read_env(const Field& field);
std::vector<std::string> read_labels(const Field& field);
// After the resource and the trial section, on which its defaults depend.
SearchSpec read_search(const Fields& root, const std::optional<Resource>& resource, bool checkpoint);
Limits read_limits(const Fields& root);
// A number of bytes, or a size such as "20GB".
std::optional<std::int64_t> read_bytes(const Field& field);
std::optional<FilesSpec> read_files(const Fields& root);

// `file` gets the name when "hosts" is text.
std::vector<HostSpec> read_hosts(const Fields& root, std::string& file);
// `settings` are those that "vars" may name; null: not known, any.
std::vector<HostSpec> read_host_list(const Field& hosts, const Json& settings);
HostSpec read_host(const Field& item, const Json& settings);
// The kind of an entry of "hosts", what its kind key says, and the keys that go with some kinds only.
void read_host_kind(const Fields& entry, HostSpec& host);
void read_host_price(const Fields& fields, HostSpec& host);
SlurmSpec read_slurm(const Field& field);

// The argument vector of a program that is started as it stands: at least the program.
std::vector<std::string> read_arguments(const Field& field);
// A fault: a list in place of the text, which shows the text's words as one.
void refuse_line(const Field& field);
// Options for another program's command line, as `example`; `otherwise` says what a text that belongs to no option
// would be.
std::vector<std::string> read_options(const Field& field, const std::string& example, const std::string& otherwise);

// Names that the command template gives a meaning of its own.
bool template_word(const std::string& name);

}  // namespace hpsearch
