#include "trials/command.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "trials/argument_template.h"
#include "trials/number.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

class Rendering {
 public:
  Rendering(const Command& command, const CommandContext& context) : command_(command), context_(context) {}

  std::vector<std::string> argv() {
    for (const CommandElement& element : command_.elements) {
      if (applies(element)) append(element);
    }
    return std::move(argv_);
  }

 private:
  bool applies(const CommandElement& element) const {
    const auto holds = [this](const Condition& condition) {
      const auto value = context_.params.find(condition.param);
      return value != context_.params.end() && condition.holds(*value);
    };
    const auto complete = [this](const std::string& arg) {
      const auto names = template_names(arg);
      return std::none_of(names.begin(), names.end(), [this](const std::string& name) { return inactive(name); });
    };
    return std::all_of(element.when.begin(), element.when.end(), holds) &&
           std::all_of(element.args.begin(), element.args.end(), complete);
  }

  bool inactive(const std::string& name) const {
    return contains(command_.parameters, name) && !context_.params.contains(name);
  }

  void append(const CommandElement& element) {
    for (const std::string& arg : element.args) {
      if (arg == "{args}") append_args();
      else argv_.push_back(rendered(arg, [this](const std::string& name) { return value_of(name); }));
    }
  }

  void append_args() {
    for (auto param = context_.params.begin(); param != context_.params.end(); ++param) {
      if (command_.mentions(param.key())) continue;
      argv_.push_back(rendered(command_.arg_style, [&param](const std::string& part) {
        return part == "name" ? param.key() : argument_text(param.value());
      }));
    }
  }

  std::string value_of(const std::string& name) const {
    const Json& from = context_.params.contains(name) ? context_.params : context_.variables;
    const auto value = from.find(name);
    if (value == from.end()) throw std::invalid_argument("nothing is called {" + name + "}");
    return argument_text(*value);
  }

  template <typename ValueOf>
  static std::string rendered(const std::string& text, ValueOf value_of) {
    std::string result;
    for (const TemplatePiece& piece : template_pieces(text))
      result += piece.is_name ? value_of(piece.text) : piece.text;
    return result;
  }

  const Command& command_;
  const CommandContext& context_;
  std::vector<std::string> argv_;
};

std::string shell_quoted(const std::string& text, const std::string& safe) {
  const auto plain = [&safe](unsigned char c) { return std::isalnum(c) || safe.find(c) != std::string::npos; };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<std::string> Command::names() const {
  std::vector<std::string> all;
  for (const CommandElement& element : elements) {
    for (const std::string& arg : element.args) {
      for (const std::string& name : template_names(arg)) add_once(all, name);
    }
  }
  return all;
}

bool Command::mentions(const std::string& param) const {
  const auto conditional = [&param](const CommandElement& element) {
    return std::any_of(element.when.begin(), element.when.end(),
                       [&param](const Condition& condition) { return condition.param == param; });
  };
  return contains(names(), param) || std::any_of(elements.begin(), elements.end(), conditional);
}

std::vector<std::string> render_command(const Command& command, const CommandContext& context) {
  return Rendering(command, context).argv();
}

std::string argument_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return format_number(value.get<double>());
  return compact(value);
}

std::string shell_line(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
                       const std::string& folder) {
  const std::string safe = "_@%+:,./-";
  std::string line = folder.empty() ? "" : "cd " + shell_quoted(folder, safe) + " &&";
  const auto append = [&line](const std::string& word) { line += (line.empty() ? "" : " ") + word; };
  for (const auto& [name, value] : env) append(name + "=" + shell_quoted(value, safe + "="));
  for (std::size_t i = 0; i < argv.size(); ++i) append(shell_quoted(argv[i], i == 0 ? safe : safe + "="));
  return line;
}

}  // namespace hpsearch
