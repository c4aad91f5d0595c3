#include <algorithm>
#include <array>
#include <stdexcept>

#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

constexpr std::array<std::string_view, 2> kTemplateWords{"args", "params_file"};

class CommandReader {
 public:
  CommandReader(const ParamScope& scope, std::vector<std::string> variables)
      : scope_(scope), variables_(std::move(variables)) {
    command_.parameters = scope.all;
  }

  Command read(const Field& field) {
    if (field.value().is_string()) return read_line(field);
    const auto items = field.items("a list of arguments, as [\"python3\", \"train.py\", \"{args}\"]");
    field.refuse_empty();
    for (const Field& item : items) read_element(item);
    if (!items.empty()) check_program(items.front());
    return command_;
  }

  void read_style(const Field& style) {
    const auto text = style.text();
    const auto names = text ? names_in(style, *text) : std::nullopt;
    if (!names) return;
    for (const std::string& name : *names) {
      if (name != "name" && name != "value") style.fault("{" + name + "} means nothing here: {name} and {value} do");
    }
    if (std::find(names->begin(), names->end(), "value") == names->end()) style.fault("must contain {value}");
    command_.arg_style = *text;
  }

  // The rule for commands that say nothing about parameters.
  void append_args() {
    for (const CommandElement& element : command_.elements) names_args_ |= contains(element.args, "{args}");
    const auto named = [this](const std::string& param) { return command_.mentions(param); };
    const bool any = std::any_of(scope_.all.begin(), scope_.all.end(), named);
    if (any || names_args_ || names_file()) return;
    command_.elements.push_back({{"{args}"}, false, {}});
    names_args_ = true;
  }

  void warn_unreached(SpecFaults& faults) const {
    if (names_args_ || names_file()) return;
    for (const std::string& param : scope_.all) {
      if (!command_.mentions(param))
        faults.warn(json_path("params", param),
                    "not in the command: the program finds it only in the file that HPSEARCH_PARAMS names");
    }
  }

  const Command& command() const { return command_; }

 private:
  bool names_file() const { return contains(command_.names(), "params_file"); }

  Command read_line(const Field& field) {
    const std::string line = field.value().get<std::string>();
    refuse_line(field);
    if (const auto names = names_in(field, line)) check_names(field, *names);
    return Command{};
  }

  void check_program(const Field& first) const {
    const bool empty = first.value().is_string() && first.value().get_ref<const std::string&>().empty();
    if (!first.value().is_string() || empty) first.fault("the first argument names the program");
  }

  void read_element(const Field& item) {
    CommandElement element;
    const Json& value = item.value();
    if (value.is_array()) read_nested(item, element);
    else if (value.is_object()) read_conditional(item, element);
    else add_argument(item, element);
    if (!element.args.empty()) command_.elements.push_back(std::move(element));
  }

  void read_nested(const Field& list, CommandElement& element) {
    element.splice = true;
    list.refuse_empty();
    for (const Field& item : list.items("a list of arguments")) add_argument(item, element);
  }

  void read_conditional(const Field& item, CommandElement& element) {
    const Fields fields(item, "command_element");
    if (const auto when = fields.require("when", "{\"amp\": true}")) element.when = read_conditions(*when, scope_);
    if (const auto args = fields.require("args", "[\"--amp\"]")) read_nested(*args, element);
  }

  void add_argument(const Field& item, CommandElement& element) {
    if (!item.value().is_string()) {
      const std::string quoted = item.value().is_structured() ? "" : ": write \"" + shown(item.value()) + "\"";
      return item.fault("an argument is text" + quoted);
    }
    const auto text = item.text();
    const auto names = text ? names_in(item, *text) : std::nullopt;
    if (!names) return;
    check_names(item, *names);
    if (contains(*names, "args") && *text != "{args}") item.fault("{args} stands alone in its argument");
    else element.args.push_back(*text);
  }

  static std::optional<std::vector<std::string>> names_in(const Field& field, const std::string& text) {
    try {
      return template_names(text);
    } catch (const std::invalid_argument& error) {
      field.fault(error.what());
      return std::nullopt;
    }
  }

  void check_names(const Field& field, const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      if (scope_.has(name) || contains(variables_, name)) continue;
      std::vector<std::string> known = scope_.all;
      known.insert(known.end(), variables_.begin(), variables_.end());
      const bool literal = name.empty() || name.find_first_of(" \"':") != std::string::npos;
      field.fault("{" + name + "} is neither a parameter nor a setting" + did_you_mean(name, known) +
                  (literal ? " (a literal brace is written {{)" : ""));
    }
  }

  const ParamScope& scope_;
  std::vector<std::string> variables_;
  Command command_;
  bool names_args_ = false;
};

std::vector<std::string> variable_names(const Json& settings, const std::optional<Resource>& resource) {
  std::vector<std::string> names{"seed", "trial", "args", "params_file"};
  for (const auto& [name, value] : settings.items()) names.push_back(name);
  if (resource) names.insert(names.end(), {resource->name, resource->name + ".max"});
  return names;
}

}  // namespace

bool template_word(const std::string& name) {
  return std::find(kTemplateWords.begin(), kTemplateWords.end(), name) != kTemplateWords.end();
}

Json read_settings(const Fields& root, const ParamScope& scope) {
  const auto settings = root.find("settings");
  if (!settings) return Json::object();
  for (const Field& member : settings->members("an object, as {\"data\": \"/data\"}")) {
    const std::string name = member.key();
    if (scope.has(name)) member.fault("a parameter has this name too");
    if (template_word(name) || name == "seed" || name == "trial" || name.empty())
      member.fault("{" + name + "} has a meaning in commands; choose another name");
    member.passable();
  }
  return settings->value().is_object() ? settings->value() : Json::object();
}

Command read_command(const Fields& root, const ParamScope& scope, const Json& settings,
                     const std::optional<Resource>& resource) {
  CommandReader reader(scope, variable_names(settings, resource));
  if (const auto style = root.find("arg_style")) reader.read_style(*style);
  const auto command = root.require("command", "[\"python3\", \"train.py\", \"{args}\"]");
  if (!command) return {};
  reader.read(*command);
  if (!command->value().is_array()) return {};
  reader.append_args();
  reader.warn_unreached(command->faults());
  return reader.command();
}

}  // namespace hpsearch
