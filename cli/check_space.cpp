#include "cli/check_space.h"

#include <algorithm>

#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/launch_plan.h"
#include "search/feasibility.h"
#include "search/pruner.h"
#include "search/sampler.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

// Other hosts look for it themselves.
bool runs_here(const StudySpec& spec) {
  return std::any_of(spec.hosts.begin(), spec.hosts.end(),
                     [](const HostSpec& host) { return host.kind == HostKind::local && host.setup.empty(); });
}

}  // namespace

StudySpec checked_space(const std::string& file) {
  StudySpec spec = read_spec(file);
  if (auto program = fixed_program(spec, Json::object()); program && runs_here(spec) && !find_program(*program, spec.folder))
    throw UserError(file + ": command[0]: no program \"" + *program + "\" in " + spec.folder +
                    ", beside hpsearch or on PATH");
  if (auto reason = infeasible(spec)) throw UserError(file + ": constraints: " + *reason);
  // Refuse options that can't serve this space.
  make_sampler(spec, 0);
  make_pruner(spec);
  return spec;
}

}  // namespace hpsearch
