#pragma once

#include <map>
#include <string>
#include <vector>

namespace hpsearch {

// Every key that the space file knows, by section; docs/space.schema.json has a definition of the same name for each
// ("space_file" is the whole).
const std::map<std::string, std::vector<std::string>>& known_keys();

// What to do about an unknown key: `meant` is a key of the same section, if `same_section`, or a place elsewhere
// ("limits.trials"); empty when nothing is near. `text` says so ("did you mean \"low\"?", or the known keys).
struct KeyAdvice {
  std::string meant;
  bool same_section = false;
  std::string text;
};
KeyAdvice key_advice(const std::string& section, const std::string& key);

}  // namespace hpsearch
