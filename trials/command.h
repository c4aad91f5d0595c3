#pragma once

#include <map>
#include <string>
#include <vector>

#include "trials/json.h"
#include "trials/space.h"

namespace hpsearch {

// One element of "command": a template, a nested array (dropped whole when it names an inactive parameter), or
// arguments under a condition.
struct CommandElement {
  std::vector<std::string> args;
  bool splice = false;                 // True for a nested array.
  std::vector<Condition> when;
};

// The command template of a space file: an argument vector, never a shell.
struct Command {
  std::vector<CommandElement> elements;
  std::string arg_style = "--{name}={value}";
  std::vector<std::string> parameters;  // Names of all parameters of the space: tells inactive from unknown ones.

  // Every name in braces, each once.
  std::vector<std::string> names() const;
  // True when an element names `param` in braces or in its condition; {args} doesn't count.
  bool mentions(const std::string& param) const;
};

// Values that a template may name beside parameters: settings, {seed}, {trial}, {epoch}, {epoch.max}, {params_file},
// {args}. A parameter wins over a variable of the same name (the parser refuses a setting named like a parameter).
struct CommandContext {
  Json params = Json::object();        // Active ones, in the order of the space.
  Json variables = Json::object();     // Everything else by name, settings included.
};

// The argument vector of one attempt. {args}, alone in its argument, becomes one argument in arg_style for each active
// parameter that no element names. Throws std::invalid_argument on an unknown {name}.
std::vector<std::string> render_command(const Command& command, const CommandContext& context);

// How a value is written on a command line: text as it is, numbers shortest that reads back, true/false, null as
// "null", lists and objects as compact JSON.
std::string argument_text(const Json& value);

// One line for a POSIX shell that runs `argv` with `env` in `folder`.
std::string shell_line(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
                       const std::string& folder);

// Names in braces of one template, "{{" left out. Throws std::invalid_argument on a brace without its partner.
std::vector<std::string> template_names(const std::string& text);

}  // namespace hpsearch
