#include <sstream>

#include "trials/spec_parts.h"

namespace hpsearch {

void refuse_line(const Field& field) {
  std::istringstream words(field.value().get<std::string>());
  Json list = Json::array();
  for (std::string word; words >> word;) list.push_back(word);
  field.fault("must be a list of arguments, not one text: write " + shown(list));
}

std::vector<std::string> read_arguments(const Field& field) {
  std::vector<std::string> arguments;
  if (field.value().is_string()) return refuse_line(field), arguments;
  field.refuse_empty();
  for (const Field& item : field.items("a list of arguments, as [\"kubectl\", \"exec\", \"-i\", \"pod\", \"--\"]")) {
    const auto text = item.text();
    if (text && text->empty() && arguments.empty()) item.fault("the first argument names the program");
    if (text) arguments.push_back(*text);
  }
  return arguments;
}

std::vector<std::string> read_options(const Field& field, const std::string& example, const std::string& otherwise) {
  std::vector<std::string> options;
  bool value_may_follow = false;
  for (const Field& item : field.items("a list of texts, as " + example)) {
    const auto text = item.name();
    if (text) options.push_back(*text);
    const bool option = !text || text->front() == '-';
    if (!option && !value_may_follow) item.fault("follows no option that takes it: " + otherwise);
    value_may_follow = option && (!text || text->find('=') == std::string::npos);
  }
  return options;
}

}  // namespace hpsearch
