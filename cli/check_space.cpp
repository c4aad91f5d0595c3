#include "cli/check_space.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/launch_plan.h"
#include "search/feasibility.h"
#include "search/pruner.h"
#include "search/sampler.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::array kScripts{".py", ".sh", ".R", ".jl", ".pl", ".rb", ".js", ".lua"};

// Other hosts look for it themselves.
bool runs_here(const StudySpec& spec) {
  return std::any_of(spec.hosts.begin(), spec.hosts.end(),
                     [](const HostSpec& host) { return host.kind == HostKind::local && host.setup.empty(); });
}

// A script that an interpreter is given by its plain name: "fitt.py" in ["python3", "fitt.py"].
std::optional<std::string> missing_script(const StudySpec& spec) {
  if (!runs_here(spec) || spec.trial.cwd != WorkFolder::space_file) return std::nullopt;
  for (const CommandElement& element : spec.command.elements)
    for (const std::string& word : element.args) {
      const fs::path name = word;
      const bool script = std::count(kScripts.begin(), kScripts.end(), name.extension()) > 0 && word.find_first_of("{= -") == std::string::npos;
      if (script && !fs::exists(fs::path(spec.folder) / name)) return word;
    }
  return std::nullopt;
}

void check_files(const StudySpec& spec, const std::string& file) {
  if (!spec.files) return;
  for (std::size_t i = 0; i < spec.files->patterns.size(); ++i) {
    const std::string& pattern = spec.files->patterns[i];
    if (pattern.find_first_of("*?[\\!") == std::string::npos && !fs::exists(fs::path(spec.folder) / pattern))
      throw UserError(file + ": files[" + std::to_string(i) + "]: no file or folder \"" + pattern + "\" in " + spec.folder);
  }
}

}  // namespace

StudySpec checked_space(const std::string& file, const std::string& hosts_file) {
  StudySpec spec = hosts_file.empty() ? read_spec(file) : with_hosts_file(read_spec(file), hosts_file);
  if (auto program = fixed_program(spec, Json::object()); program && runs_here(spec) && !find_program(*program, spec.folder))
    throw UserError(file + ": command[0]: no program \"" + *program + "\" in " + spec.folder +
                    ", beside hpsearch or on PATH");
  if (const auto script = missing_script(spec)) spec.warnings.push_back("command: there is no " + *script + " in " + spec.folder);
  check_files(spec, file);
  if (auto reason = infeasible(spec)) throw UserError(file + ": constraints: " + *reason);
  // Refuse options that can't serve this space.
  make_sampler(spec, 0);
  make_pruner(spec);
  return spec;
}

}  // namespace hpsearch
