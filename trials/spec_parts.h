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
// After the resource and the trial section, on which its defaults depend.
SearchSpec read_search(const Fields& root, const std::optional<Resource>& resource, bool checkpoint);
Limits read_limits(const Fields& root);
// `file` gets the name when "hosts" is text.
std::vector<HostSpec> read_hosts(const Fields& root, std::string& file);
std::vector<HostSpec> read_host_list(const Field& hosts);

// Names that the command template gives a meaning of its own.
bool template_word(const std::string& name);

}  // namespace hpsearch
