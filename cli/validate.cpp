#include <iostream>
#include <sstream>

#include "cli/check_space.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "dashboard/value_text.h"
#include "trials/spec.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

Json description(const StudySpec& spec) {
  Json json = {{"study", spec.name}, {"valid", true}, {"parameters", spec.space.params.size()}};
  json["size"] = spec.space.size() ? Json(*spec.space.size()) : Json();
  json["metric"] = spec.metric().name;
  json["goal"] = spec.maximize() ? "maximize" : "minimize";
  json["sampler"] = spec.search.sampler.type;
  json["pruner"] = spec.search.pruner.type;
  json["warnings"] = spec.warnings;
  return json;
}

int validate(const std::string& file, const std::string& hosts, bool json) try {
  const StudySpec spec = checked_space(file, hosts);
  for (const std::string& warning : spec.warnings) std::cerr << "warning: " << warning << "\n";
  if (json) {
    print(json_text(description(spec)));
    return 0;
  }
  const std::size_t params = spec.space.params.size();
  print(file + " is valid: study " + spec.name + ", " + std::to_string(params) + (params == 1 ? " parameter, " : " parameters, ") +
        (spec.maximize() ? "maximize " : "minimize ") + spec.metric().name + ", sampler " + spec.search.sampler.type +
        ", pruner " + spec.search.pruner.type + "\n");
  return 0;
} catch (const UserError& error) {
  if (!json) throw;
  Json errors = Json::array();
  std::istringstream lines(error.what());
  for (std::string line; std::getline(lines, line);) errors.push_back(line);
  print(json_text({{"valid", false}, {"errors", std::move(errors)}}));
  return 2;
}

}  // namespace

void add_validate(CLI::App& app, const CommonOptions&, Action& action) {
  auto* verb = app.add_subcommand("validate", "Check a space file and the program it names; start nothing");
  auto file = std::make_shared<std::string>();  // Shared with the action, which outlives this call.
  auto hosts = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  verb->add_option("SPACE", *file, "The space file")->required();
  verb->add_option("--hosts", *hosts, "A file with the list of hosts, instead of the space file's");
  verb->add_flag("--json", *json, "Answer in JSON");
  verb->callback([=, &action] { action = [=] { return validate(*file, *hosts, *json); }; });
}

}  // namespace hpsearch
