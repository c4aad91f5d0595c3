#include "cli/assignments.h"

#include "trials/user_error.h"

namespace hpsearch {

Json parse_assignments(const std::vector<std::string>& words) {
  Json values = Json::object();
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) throw UserError("\"" + word + "\": expected NAME=VALUE");
    const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
    if (values.contains(name)) throw UserError("\"" + name + "\" is given twice");
    Json value = Json::parse(text, nullptr, false);
    values[name] = value.is_discarded() ? Json(text) : std::move(value);
  }
  return values;
}

}  // namespace hpsearch
